import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(): Promise<ScriptedModel> {
  const server = await startScriptedModel({ script: () => ({ text: 'Hello.' }) });
  servers.push(server);
  return server;
}

async function post(server: ScriptedModel, path: string, body: Json) {
  const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const tool = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };
const messagesBody = (messages: Json, more: Record<string, Json> = {}) => ({
  model: 'm',
  max_tokens: 100,
  messages,
  ...more,
});
const user = (content: Json) => ({ role: 'user', content });
const assistant = (content: Json) => ({ role: 'assistant', content });
const use = (id: string, name = 'read', input: Json = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

describe('the Messages endpoint', () => {
  it('accepts a correct conversation', async () => {
    const server = await start();
    const turns = [user('a'), assistant([use('1'), use('2')]), user([result('2'), result('1')])];
    expect((await post(server, '/v1/messages', messagesBody(turns, { tools: [tool] }))).status).toBe(200);
    expect(server.rejections).toEqual([]);
  });

  it.each<[string, Json, RegExp]>([
    ['no messages', messagesBody([]), /at least one message/],
    ['an assistant who begins', messagesBody([assistant('a')]), /first message must be from the user/],
    ['a role it does not know', messagesBody([{ role: 'tool', content: 'a' }]), /is no role/],
    ['an orphan result', messagesBody([user('a'), assistant('b'), user([result('1')])]), /no call is open/],
    [
      'a result given twice',
      messagesBody([user('a'), assistant([use('1')]), user([result('1'), result('1')])]),
      /no call is open/,
    ],
    [
      'a call without a result',
      messagesBody([user('a'), assistant([use('1'), use('2')]), user([result('1')])]),
      /missing: 2/,
    ],
    ['a call at the end', messagesBody([user('a'), assistant([use('1')])]), /calls without results: 1/],
    [
      'a call id used twice',
      messagesBody([
        user('a'),
        assistant([use('1')]),
        user([result('1')]),
        assistant([use('1')]),
        user([result('1')]),
      ]),
      /is there twice/,
    ],
    [
      'a result behind text',
      messagesBody([user('a'), assistant([use('1')]), user([{ type: 'text', text: 'b' }, result('1')])]),
      /must come first/,
    ],
    ['an empty text', messagesBody([user([{ type: 'text', text: '' }])]), /must be non-empty/],
    [
      'arguments that are no object',
      messagesBody([user('a'), assistant([use('1', 'read', 'x')]), user([result('1')])]),
      /expected an object/,
    ],
    [
      'a name of other letters',
      messagesBody([user('a')], { tools: [{ ...tool, name: 'a.b' }] }),
      /does not match/,
    ],
    ['a name twice', messagesBody([user('a')], { tools: [tool, tool] }), /must be unique/],
    [
      'a schema that is none',
      messagesBody([user('a')], { tools: [{ ...tool, input_schema: { type: 'objekt' } }] }),
      /is no JSON Schema/,
    ],
    [
      'thinking that it did not sign',
      messagesBody([
        user('a'),
        assistant([
          { type: 'thinking', thinking: 'x', signature: 'y' },
          { type: 'text', text: 'b' },
        ]),
        user('c'),
      ]),
      /Invalid `signature`/,
    ],
    ['no max_tokens', { model: 'm', messages: [user('a')] }, /max_tokens/],
    ['no object', [], /expected an object/],
  ])('refuses %s', async (_title, body, words) => {
    const server = await start();
    const { status, text } = await post(server, '/v1/messages', body);
    expect(status).toBe(400);
    expect(JSON.parse(text).error.message).toMatch(words);
    expect(server.rejections).toEqual([JSON.parse(text).error.message]);
  });
});

it('refuses unpaired calls on the other APIs too', async () => {
  const server = await start();
  const chat = { model: 'm', messages: [user('a'), { role: 'tool', tool_call_id: '1', content: 'b' }] };
  const items = [user('a'), { type: 'function_call_output', call_id: '1', output: 'b' }];
  expect((await post(server, '/v1/chat/completions', chat)).status).toBe(400);
  expect((await post(server, '/v1/responses', { model: 'm', input: items })).status).toBe(400);
  expect(server.rejections).toHaveLength(2);
});

it('answers without a stream if none is requested, on every API', async () => {
  const server = await start();
  const texts = [
    await post(server, '/v1/messages', messagesBody([user('a')])),
    await post(server, '/v1/chat/completions', { model: 'm', messages: [user('a')] }),
    await post(server, '/v1/responses', { model: 'm', input: 'a' }),
  ];
  expect(texts.map(({ status, text }) => [status, text.includes('"Hello."')])).toEqual([
    [200, true],
    [200, true],
    [200, true],
  ]);
});

it('reports a script that throws as 500, and an unknown path as 404', async () => {
  const server = await startScriptedModel({
    script: () => {
      throw new Error('out of lines');
    },
  });
  servers.push(server);
  const failed = await post(server, '/v1/messages', messagesBody([user('a')]));
  expect([failed.status, JSON.parse(failed.text).error.message]).toEqual([
    500,
    'the script failed: out of lines',
  ]);
  expect((await post(server, '/v1/models', {})).status).toBe(404);
});
