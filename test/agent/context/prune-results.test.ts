import { expect, it } from 'vitest';
import { contextBudget, messageTokens } from '../../../src/agent/context/context-size.ts';
import { pruneResults } from '../../../src/agent/context/shorten-messages.ts';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import { contextBounds } from '../../../src/config/defaults.ts';
import type { Message } from '../../../src/contract/message.ts';
import { entries, freshLedgers, run } from '../loop-fixture.ts';

freshLedgers();

const words = '[result left out to save space; call again if it is still needed]';
/** For a window of that size, with our own estimate of the tokens unless a count is given. */
const prune = (messages: readonly Message[], window: number, counted?: number) => {
  const room = contextBudget(window, contextBounds({}));
  const tokens = counted ?? messages.reduce((sum, message) => sum + messageTokens(message), 0);
  return pruneResults(messages, tokens > room.full ? tokens - room.target : 0, room.recent);
};
const task: Message = { role: 'user', parts: [{ type: 'text', text: 'the task' }] };

/** A call and its result with this many characters. */
const called = (id: string, characters: number): Message[] => [
  { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'read', input: {} }] },
  {
    role: 'user',
    parts: [
      {
        type: 'tool_result',
        call_id: id,
        content: [{ type: 'text', text: 'x'.repeat(characters) }],
        is_error: false,
      },
    ],
  },
];

/** The length of each result, or the words in place of one. */
const results = (messages: readonly Message[] | undefined) =>
  (messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'tool_result') return [];
      const [piece] = part.content;
      const text = piece?.type === 'text' ? piece.text : '';
      return [text === words ? words : text.length];
    }),
  );

it('a conversation with enough space stays unchanged', () => {
  expect(prune([task, ...called('a', 100_000)], 200_000)).toBeNull();
});

it('the oldest long results are removed until the conversation fits, and every call keeps a result', () => {
  const messages = [
    task,
    ...called('a', 90_000),
    ...called('b', 100),
    ...called('c', 80_000),
    ...called('d', 80_000),
    ...called('e', 119_000),
  ];
  const pruned = prune(messages, 100_000);
  expect({ removed: pruned?.removed, results: results(pruned?.messages) }).toEqual({
    removed: 1,
    results: [words, 100, 80_000, 80_000, 119_000],
  });
  expect(pruned?.messages).toHaveLength(messages.length);
});

it('the newest 20,000 tokens stay, whatever they cost', () => {
  const messages = [task, ...called('a', 60_000), ...called('b', 60_000), ...called('c', 60_000)];
  expect(results(prune(messages, 60_000, 60_000)?.messages)).toEqual([words, 60_000, 60_000]);
});

it("the provider's count is used if it is higher than the estimate", () => {
  const messages = [task, ...called('a', 90_000), ...called('b', 90_000)];
  expect(prune(messages, 100_000)).toBeNull();
  expect(prune(messages, 100_000, 87_000)?.removed).toBe(1);
});

it('without summaries, removing results lets a run continue in a small window', async () => {
  const seen: ModelRequest[] = [];
  const messages = [task, ...Array.from({ length: 9 }, (_, index) => called(`call_${index}`, 60_000)).flat()];
  const result = await run([{ text: 'done' }], { seen, messages, context: { compactEnabled: false } });
  expect({
    conclusion: result.conclusion,
    left: results(seen[0]?.messages).filter((one) => one === words).length,
    notes: entries('compaction').map(({ note }) => note),
  }).toEqual({ conclusion: 'success', left: 5, notes: ['Old results that words replaced: 5.'] });
});
