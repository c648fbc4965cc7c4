import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageTokens } from '../../../src/agent/context/context-size.ts';
import { fitMessages } from '../../../src/agent/context/shorten-messages.ts';
import { splitConversation } from '../../../src/agent/context/split-conversation.ts';
import type { Message } from '../../../src/contract/message.ts';

const task: Message = { role: 'user', parts: [{ type: 'text', text: 'the task' }] };
const called = (id: number, text: string): Message[] => [
  { role: 'assistant', parts: [{ type: 'tool_call', id: `c${id}`, name: 'read', input: {} }] },
  {
    role: 'user',
    parts: [{ type: 'tool_result', call_id: `c${id}`, content: [{ type: 'text', text }], is_error: false }],
  },
];
const tokens = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens(message), 0);
const conversation = fc
  .array(fc.oneof(fc.nat(40_000), fc.nat(900)), { minLength: 1, maxLength: 12 })
  .map((lengths) => [task, ...lengths.flatMap((length, index) => called(index, '日x'.repeat(length / 2)))]);

it('enough is saved wherever texts are long enough, while calls, other results and short texts stay', () => {
  fc.assert(
    fc.property(conversation, fc.nat(60_000), (messages, spare) => {
      const { messages: fitted } = fitMessages(messages, spare, 2_000);
      const least = tokens(fitMessages(messages, 10_000_000, 0).messages);
      expect(tokens(fitted)).toBeLessThanOrEqual(Math.max(tokens(messages) - spare, least) + 100);
      expect(fitted.map(({ role, parts }) => [role, parts.length])).toEqual(
        messages.map(({ role, parts }) => [role, parts.length]),
      );
      expect(fitted[0]).toBe(messages[0]);
    }),
    { numRuns: 60 },
  );
});

it('old texts are cut before new ones', () => {
  const messages = [task, ...called(1, 'a'.repeat(40_000)), ...called(2, 'b'.repeat(40_000))];
  const { messages: fitted, cut } = fitMessages(messages, 5_000, 9_000);
  expect([cut, fitted[4] === messages[4], messageTokens(fitted[2] ?? task) < 5_100]).toEqual([1, true, true]);
});

it('a task and a summary are cut only if no result can be cut any further', () => {
  const reported = (length: number): Message => ({
    role: 'user',
    parts: [
      { type: 'text', text: 't'.repeat(length) },
      { type: 'text', text: 'n'.repeat(3_000) },
    ],
  });
  const results = [...called(1, 'a'.repeat(5_000)), ...called(2, 'b'.repeat(20_000))];
  const first = (length: number, spare: number) => {
    const message = reported(length);
    const [fitted] = fitMessages([message, ...results], spare, 4_000).messages;
    return fitted === message ? 'as it was' : messageTokens(fitted ?? task);
  };
  expect([first(7_000, 5_500), first(7_000, 6_500), first(40_000, 12_000)]).toEqual([
    'as it was',
    expect.any(Number),
    expect.any(Number),
  ]);
});

it('a conversation is cut before a reply, with at least the newest tokens after it, or not at all', () => {
  fc.assert(
    fc.property(conversation, fc.nat(40_000), (messages, recent) => {
      const split = splitConversation(messages, recent);
      if (split === null) {
        // Nothing but the first message is older.
        expect(tokens(messages.slice(3))).toBeLessThan(Math.max(recent, 1));
        return;
      }
      const { head, tail, headTokens } = split;
      expect([...head, ...tail]).toEqual(messages);
      expect([head.at(-1)?.role, tail[0]?.role]).toEqual(['user', 'assistant']);
      expect(tokens(tail)).toBeGreaterThanOrEqual(recent);
      // Not more than is needed: a turn less would be too little.
      expect(tokens(tail.slice(2))).toBeLessThan(Math.max(recent, 1));
      expect(headTokens).toBeCloseTo(tokens(head.slice(1)));
    }),
    { numRuns: 100 },
  );
});
