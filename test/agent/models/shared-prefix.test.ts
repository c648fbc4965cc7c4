import { afterEach, expect, it } from 'vitest';
import { createModel } from '../../../src/agent/models/create-model.ts';
import type { Config } from '../../../src/config/schema.ts';
import type { Message } from '../../../src/contract/message.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const turns = 50;
const tools = Array.from({ length: 8 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Does what a tool does, told at some length.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));

/** The text that the package for Bedrock appends to everything, and the markers. */
const moves = new Set(['cache_control', 'anthropic_version']);

/**
 * A body as a provider's cache compares it: without the cache markers, which are not part of the
 * key, and without the brackets that close growing lists.
 */
function growing(body: unknown): string {
  return JSON.stringify(body, (key, value) => (moves.has(key) ? undefined : value)).replace(/[\]}]+$/, '');
}

/** How many bytes two bodies begin with alike. */
function alike(a: string, b: string): number {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  let same = 0;
  while (same < first.length && first[same] === second[same]) same += 1;
  return same;
}

const adapters: [string, NonNullable<Config['providers']>[string], string][] = [
  ['anthropic/claude-sonnet-4-6', {}, ''],
  ['openai/gpt-5.5', {}, '/v1'],
  ['zai/glm-5.1', {}, '/v1'],
  ['bedrock/claude-haiku-4-5', { region: 'us-east-1' }, ''],
];

it.each(
  adapters,
)('each request to %s begins with the one before, byte for byte', async (name, settings, path) => {
  const server = await startScriptedModel({
    script: ({ messages, index }) => ({
      ...(path === '/v1' && name.startsWith('zai') ? {} : { thinking: `Thought ${index}.` }),
      text: `Step ${messages.length}.`,
      calls: [{ name: 'tool_1', input: { path: `src/${index}.ts` } }],
    }),
  });
  servers.push(server);
  const provider = name.slice(0, name.indexOf('/'));
  const model = await createModel({
    name,
    providers: { [provider]: { ...settings, baseUrl: server.url + path, apiKey: 'key' } },
    environment: {},
    cacheKey: 'sess_1',
  });
  const messages: Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'Look at it all. '.repeat(100) }] },
  ];
  const signal = new AbortController().signal;
  for (let turn = 0; turn < turns; turn += 1) {
    const { message } = await model.complete(
      { system: 'You test.', tools, messages, effort: 3, signal },
      () => {},
    );
    const results = message.parts.flatMap((part) =>
      part.type === 'tool_call'
        ? [
            {
              type: 'tool_result' as const,
              call_id: part.id,
              content: [{ type: 'text' as const, text: `Of ${turn}.` }],
              is_error: false,
            },
          ]
        : [],
    );
    messages.push(message, { role: 'user', parts: results });
  }
  expect(server.rejections).toEqual([]);
  const bodies = server.requests.map(({ raw }) => growing(raw));
  const shared = bodies
    .slice(1)
    .map((body, index) => ({ of: Buffer.byteLength(body), same: alike(body, bodies[index] ?? '') }));
  // All of the request before, and of all bytes sent what the design asks for.
  expect(shared.map(({ same }) => same)).toEqual(bodies.slice(0, -1).map((body) => Buffer.byteLength(body)));
  const total = (pick: (one: { of: number; same: number }) => number) =>
    shared.reduce((sum, one) => sum + pick(one), 0);
  expect(total(({ same }) => same) / total(({ of }) => of)).toBeGreaterThan(0.95);
});
