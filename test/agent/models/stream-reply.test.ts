import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anthropicAssembler } from '../../../src/agent/models/anthropic-messages.ts';
import { chatAssembler } from '../../../src/agent/models/openai-chat.ts';
import { responsesAssembler } from '../../../src/agent/models/openai-responses.ts';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';
import { type Assembler, streamReply } from '../../../src/agent/models/stream-reply.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { Message } from '../../../src/contract/message.ts';
import { Usage } from '../../../src/contract/usage.ts';
import { answerChat } from '../../support/model/chat-wire.ts';
import { answerMessages } from '../../support/model/messages-wire.ts';
import { answerResponses } from '../../support/model/responses-wire.ts';
import type { FullReply, WireAnswer } from '../../support/model/script.ts';

class ApiError extends Error {
  readonly status = undefined;
  readonly headers = undefined;
}

const wires: [title: string, answer: (reply: FullReply) => WireAnswer, assembler: () => Assembler<never>][] =
  [
    ['Messages', answerMessages, () => anthropicAssembler('p')],
    ['Responses', answerResponses, () => responsesAssembler('p')],
    ['Chat Completions', answerChat, () => chatAssembler('p', new Set())],
  ];

const reply: FullReply = {
  id: '1',
  model: 'm',
  text: 'Text.',
  thinking: 'Hm.',
  calls: [{ id: 'a', name: 'read', json: '{"path":"x"}' }],
  stop: 'tool_calls',
  usage: { input: 1, output: 2, cache_read: 3, cache_write: 0 },
};

it.each(
  wires,
)('%s: events of any shape give a valid reply or a broken stream, never a defect', async (_title, answer, assembler) => {
  const events = answer(reply).events.flatMap(({ data }) => (typeof data === 'string' ? [] : [data]));
  const change = fc.record({
    event: fc.nat(events.length - 1),
    place: fc.nat(40),
    value: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const hostile = structuredClone(events);
      for (const { event, place, value } of changes) damage(hostile[event], place, value);
      async function* stream() {
        yield* hostile as never[];
      }
      try {
        const { message, usage } = await streamReply(async () => stream(), ApiError, assembler(), {
          onText: () => {},
        });
        expect({ message: Message.safeParse(message).error, usage: Usage.safeParse(usage).error }).toEqual({
          message: undefined,
          usage: undefined,
        });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        expect(['broken', 'server_error']).toContain(error.problem);
      }
    }),
    { numRuns: 300 },
  );
});

/** Replaces the value at the n-th place of an object's tree, counted round. */
function damage(event: JsonObject | undefined, place: number, value: unknown): void {
  const places: [container: Record<string, unknown>, key: string][] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      const container = node as Record<string, unknown>;
      places.push([container, key]);
      walk(container[key]);
    }
  };
  walk(event);
  const found = places[place % Math.max(1, places.length)];
  if (found !== undefined) found[0][found[1]] = value;
}
