import { afterEach, describe, expect, it } from 'vitest';
import { createModel } from '../../../src/agent/models/create-model.ts';
import type { Model, ModelReply } from '../../../src/agent/models/model.ts';
import type { Config } from '../../../src/config/schema.ts';
import { ConfigError, RunStopped } from '../../../src/contract/errors.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Api, Reply, Script, ScriptedFault } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';

const key = 'sk-test-0123456789abcdef';
const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Adapter {
  readonly title: string;
  readonly api: Api;
  readonly provider: string;
  /** How it is configured, besides its key. */
  readonly settings: NonNullable<Config['providers']>[string];
  /** What stands between server and endpoint. */
  readonly path: string;
  /** The token the thinking comes back under, where the wire has one. */
  readonly thinks: boolean;
}
const adapters: Adapter[] = [
  {
    title: 'Anthropic Messages',
    api: 'messages',
    provider: 'anthropic',
    settings: {},
    path: '',
    thinks: true,
  },
  {
    title: 'OpenAI Responses',
    api: 'responses',
    provider: 'openai',
    settings: {},
    path: '/v1',
    thinks: true,
  },
  {
    title: 'Chat Completions',
    api: 'chat',
    provider: 'own',
    settings: { type: 'openai-compatible' },
    path: '/v1',
    thinks: false,
  },
  { title: 'Azure, Responses', api: 'responses', provider: 'azure', settings: {}, path: '', thinks: true },
  {
    title: 'Azure, Chat Completions',
    api: 'chat',
    provider: 'azure',
    settings: { type: 'openai-compatible' },
    path: '',
    thinks: false,
  },
  {
    title: 'Bedrock',
    api: 'messages',
    provider: 'bedrock',
    settings: { region: 'us-east-1' },
    path: '',
    thinks: true,
  },
  {
    title: 'Vertex',
    api: 'messages',
    provider: 'vertex',
    settings: { region: 'global', project: 'p' },
    path: '/v1',
    thinks: true,
  },
];

describe.each(adapters)('$title', ({ api, provider, settings, path, thinks }) => {
  const start = async (script: Script, idleTimeoutMs = 10_000) => {
    const server = await startScriptedModel({ script, key });
    servers.push(server);
    const delays: number[] = [];
    const model = await createModel({
      name: `${provider}/fake-1`,
      providers: {
        [provider]: { ...settings, baseUrl: server.url + path, apiKey: '{env:THE_KEY}' },
      },
      environment: { THE_KEY: key },
      idleTimeoutMs,
      clock: {
        sleep: async (ms) => {
          delays.push(ms);
        },
        random: () => 1,
      },
    });
    return { server, model, delays };
  };

  it('streams a text and counts its tokens', async () => {
    const { server, model } = await start(() => ({
      text: 'Größe: 3 m²',
      usage: { input: 100, output: 7, cache_read: 40 },
    }));
    const { reply, text } = await ask(model, hello);
    expect(reply).toEqual({
      message: { role: 'assistant', parts: [{ type: 'text', text: 'Größe: 3 m²' }] },
      stop: 'end',
      usage: { input: 100, output: 7, cache_read: 40, cache_write: 0 },
    });
    expect(text.length).toBeGreaterThan(1);
    expect(text.join('')).toBe('Größe: 3 m²');
    expect(
      server.requests.map(({ api, stream, system, tools, messages, model }) => ({
        api,
        stream,
        system,
        tools,
        messages,
        model,
      })),
    ).toEqual([
      {
        api,
        stream: true,
        system: 'You test.',
        tools: [{ name: 'bash', description: 'Runs a command.', schema: bash.input_schema }],
        messages: hello,
        model: 'fake-1',
      },
    ]);
  });

  it('carries two calls and their results through the next turn, thinking included', async () => {
    const { server, model } = await start(({ messages }) =>
      messages.length === 1
        ? {
            thinking: 'Two at once.',
            text: 'I look.',
            calls: [
              { id: 'call_a', name: 'bash', input: { command: 'ls' } },
              { id: 'call_b', name: 'bash', input: {} },
            ],
          }
        : { text: 'Done.' },
    );
    const first = await ask(model, hello);
    expect(first.reply.stop).toBe('tool_calls');
    expect(first.reply.message.parts.filter(({ type }) => type !== 'opaque')).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'call_a', name: 'bash', input: { command: 'ls' } },
      { type: 'tool_call', id: 'call_b', name: 'bash', input: {} },
    ]);
    expect(first.reply.message.parts.some(({ type }) => type === 'opaque')).toBe(thinks);
    const second = await ask(model, [
      ...hello,
      first.reply.message,
      { role: 'user', parts: [result('call_a', 'src'), result('call_b', '')] },
    ]);
    expect(second.reply.message.parts).toEqual([{ type: 'text', text: 'Done.' }]);
    expect(server.rejections).toEqual([]);
    // The server checks the thinking's signature; here it only has to have come back.
    expect(server.requests[1]?.messages[1]?.parts.some(({ type }) => type === 'opaque')).toBe(thinks);
  });

  it('keeps the connection from turn to turn', async () => {
    const { server, model } = await start(() => ({ text: 'Again.' }));
    for (let turn = 0; turn < 3; turn += 1) await ask(model, hello);
    expect(server.requests).toHaveLength(3);
    // Where a reader stops at the last event, the socket may be a moment from being free again.
    expect(server.connections()).toBeLessThan(3);
  });

  it('hands on arguments that are no JSON as text, and sends them back as an object', async () => {
    const broken = '{"command": "ls';
    const { server, model } = await start(({ messages }) =>
      messages.length === 1 ? { calls: [{ id: 'call_a', name: 'bash', input: broken }] } : { text: 'Sorry.' },
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([{ type: 'tool_call', id: 'call_a', name: 'bash', input: broken }]);
    const answer = { ...result('call_a', 'no JSON'), is_error: true };
    await ask(model, [...hello, reply.message, { role: 'user', parts: [answer] }]);
    expect(server.requests[1]?.messages[1]?.parts).toEqual([
      { type: 'tool_call', id: 'call_a', name: 'bash', input: { _raw: broken } },
    ]);
    expect(server.rejections).toEqual([]);
  });

  it('sends back a name that a model made up in letters that endpoints take', async () => {
    const { server, model } = await start(({ messages }) =>
      messages.length === 1
        ? { calls: [{ id: 'call_a', name: 'read the file!', input: {} }] }
        : { text: 'Ok.' },
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([
      { type: 'tool_call', id: 'call_a', name: 'read the file!', input: {} },
    ]);
    await ask(model, [...hello, reply.message, { role: 'user', parts: [result('call_a', 'no such tool')] }]);
    expect(server.requests[1]?.messages[1]?.parts).toEqual([
      { type: 'tool_call', id: 'call_a', name: 'read_the_file_', input: {} },
    ]);
    expect(server.rejections).toEqual([]);
  });

  const image = { type: 'image' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' };
  const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'bash', input: {} });
  const seen = (id: string) => ({ ...result(id, `of ${id}`), content: [text(`of ${id}`), image] });

  it('leaves the image of each of two results with its result, or names the result beside it', async () => {
    const { server, model } = await start(() => ({ text: 'Two cats.' }));
    await ask(model, [
      ...hello,
      { role: 'assistant', parts: [call('call_a'), call('call_b')] },
      { role: 'user', parts: [seen('call_a'), seen('call_b'), text('One turn is left.')] },
    ]);
    expect(server.rejections).toEqual([]);
    // Results are text in Chat Completions, so their images follow as the user's.
    const follows = (id: string) => result(id, `of ${id}\n(An image follows.)`);
    expect(server.requests[0]?.messages[2]?.parts).toEqual(
      api === 'chat'
        ? [
            follows('call_a'),
            follows('call_b'),
            text('Of the result call_a:'),
            image,
            text('Of the result call_b:'),
            image,
            text('One turn is left.'),
          ]
        : [seen('call_a'), seen('call_b'), text('One turn is left.')],
    );
  });

  it('goes on without an image that the endpoint refuses', async () => {
    const { server, model } = await start(({ messages }) =>
      JSON.stringify(messages).includes(image.data)
        ? { status: 400, body: { error: { type: 'invalid_request_error', message: 'no images' } } }
        : { text: 'I cannot see it.' },
    );
    const conversation: Message[] = [
      ...hello,
      { role: 'assistant', parts: [call('call_a')] },
      { role: 'user', parts: [seen('call_a')] },
    ];
    await ask(model, conversation);
    const { reply } = await ask(model, [...conversation]);
    expect(reply.message.parts).toEqual([text('I cannot see it.')]);
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(server.requests[2]?.messages)).toContain(
      '[image left out: the endpoint refused it]',
    );
  });

  it('sends images, also those of results', async () => {
    const { server, model } = await start(() => ({ text: 'A cat.' }));
    await ask(model, [
      { role: 'user', parts: [{ type: 'text', text: 'What is it?' }, image] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_a', name: 'bash', input: {} }] },
      {
        role: 'user',
        parts: [{ type: 'tool_result', call_id: 'call_a', content: [image], is_error: false }],
      },
    ]);
    expect(server.rejections).toEqual([]);
    expect(JSON.stringify(server.requests[0]?.messages).split(image.data)).toHaveLength(3);
  });

  it.each([
    ['length', 'length'],
    ['refusal', 'refusal'],
  ] as const)('tells a stop by %s', async (stop, expected) => {
    const { model } = await start(() => ({ text: 'I', stop }));
    const { reply } = await ask(model, hello);
    expect({ stop: reply.stop, parts: reply.message.parts }).toEqual({
      stop: expected,
      parts: [{ type: 'text', text: 'I' }],
    });
  });

  it.each<ScriptedFault['fault']>([
    'reset',
    'reset-mid-event',
    'half-json',
    'cut',
    'garbage',
    'error-event',
  ])('asks again after the fault %s', async (fault) => {
    const { server, model, delays } = await start(({ index }) =>
      index === 0 ? { fault } : { text: 'Whole.' },
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([{ type: 'text', text: 'Whole.' }]);
    expect(server.requests).toHaveLength(2);
    expect(delays).toEqual([500]);
  });

  it('hands out what was said and called before a stream broke once', async () => {
    const said = { text: 'I look at it.', calls: [{ id: 'call_a', name: 'bash', input: { command: 'ls' } }] };
    const { server, model } = await start(({ index }) =>
      index < 2 ? { fault: 'reset-mid-event', reply: said } : said,
    );
    const { reply, text } = await ask(model, hello);
    expect({ requests: server.requests.length, text: text.join(''), parts: reply.message.parts }).toEqual({
      requests: 3,
      text: 'I look at it.',
      parts: [
        { type: 'text', text: 'I look at it.' },
        { type: 'tool_call', id: 'call_a', name: 'bash', input: { command: 'ls' } },
      ],
    });
  });

  it('asks again when the stream falls silent', async () => {
    const { model } = await start(
      ({ index }) => (index === 0 ? { fault: 'stall' } : { text: 'Whole.' }),
      150,
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([{ type: 'text', text: 'Whole.' }]);
  });

  it('understands a stream that comes in drops', async () => {
    const call = { id: 'call_a', name: 'bash', input: { command: 'echo "ä€😀"' } };
    const { model } = await start(() => ({ fault: 'drip', reply: { text: 'ä€😀', calls: [call] } }));
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([
      { type: 'text', text: 'ä€😀' },
      { type: 'tool_call', ...call },
    ]);
  });

  it.each([429, 500, 503, 529])('asks again after status %i, not before Retry-After', async (status) => {
    const { model, delays } = await start(({ index }) =>
      index === 0 ? { status, headers: { 'retry-after': '7' } } : { text: 'At last.' },
    );
    await ask(model, hello);
    expect(delays).toEqual([7_000]);
  });

  it('gives up with the host, the cause, the tries and the cure', async () => {
    const { server, model } = await start(() => ({ fault: 'cut' }));
    const error = await failure(ask(model, hello));
    expect(error).toBeInstanceOf(RunStopped);
    expect(error instanceof RunStopped && error.reason).toEqual({
      kind: 'provider_failed',
      message: `The model at ${new URL(server.url).host} failed: the stream ended before the reply was whole. Tried 4 times. Start the run again; if it stays, check what stands between here and the endpoint.`,
    });
  });

  it('names the variable of a key that is refused, and never the key', async () => {
    const { server, model } = await start(() => ({
      status: 401,
      body: { error: { type: 'authentication_error', message: `bad key ${key}` } },
    }));
    const error = await failure(ask(model, hello));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error instanceof ConfigError && error.key).toBe('THE_KEY');
    expect(error.message).toContain('bad key [key]');
    expect(error.message).not.toContain(key);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[Reply & { status: number }, string]>([
    [{ status: 404 }, 'model'],
    [{ status: 403 }, 'THE_KEY'],
  ])('makes a matter of configuration of %j', async (reply, place) => {
    const { server, model } = await start(() => reply);
    const error = await failure(ask(model, hello));
    expect(error instanceof ConfigError && error.key).toBe(place);
    expect(server.requests).toHaveLength(1);
  });

  it("stops at once on a request that is rejected, with the endpoint's own words", async () => {
    const { server, model, delays } = await start(() => ({ text: 'Never.' }));
    const orphan: Message[] = [...hello, { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }] }];
    const error = await failure(ask(model, [...orphan, { role: 'user', parts: [result('call_x', 'lost')] }]));
    expect(error instanceof RunStopped && error.reason.kind).toBe('provider_failed');
    expect(error.message).toContain('no call is open for the result call_x');
    expect(server.rejections).toHaveLength(1);
    expect(delays).toEqual([]);
  });

  it('stops with the reason of an abort, in mid-stream and before', async () => {
    const { server, model } = await start(() => ({
      fault: 'stall',
      reply: { text: 'Long ago there lived' },
    }));
    const reason = new Error('enough');
    const controller = new AbortController();
    const asked = failure(
      model.complete({ ...request, messages: hello, signal: controller.signal }, () =>
        controller.abort(reason),
      ),
    );
    expect(await asked).toBe(reason);
    expect(
      await failure(model.complete({ ...request, messages: hello, signal: controller.signal }, () => {})),
    ).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('lets an error of the listener through as it is', async () => {
    const { model, delays } = await start(() => ({ text: 'Hello.' }));
    const defect = new Error('defect of the listener');
    const asked = model.complete({ ...request, messages: hello }, () => {
      throw defect;
    });
    expect(await failure(asked)).toBe(defect);
    expect(delays).toEqual([]);
  });

  it('says what to do when nothing listens at the endpoint', async () => {
    const { server, model } = await start(() => ({ text: 'Never.' }));
    await server.close();
    const error = await failure(ask(model, hello));
    expect(error.message).toBe(
      `The model at ${new URL(server.url).host} failed: the connection failed (ECONNREFUSED). Tried 4 times. Check that the endpoint is up and that this machine can reach it.`,
    );
  });
});

const bash = {
  name: 'bash',
  description: 'Runs a command.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};
const text = (words: string) => ({ type: 'text' as const, text: words });
const hello: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }];
const request = { system: 'You test.', tools: [bash], effort: 3, signal: new AbortController().signal };

function result(call_id: string, text: string) {
  return {
    type: 'tool_result' as const,
    call_id,
    content: [{ type: 'text' as const, text }],
    is_error: false,
  };
}

async function ask(model: Model, messages: Message[]): Promise<{ reply: ModelReply; text: string[] }> {
  const text: string[] = [];
  const reply = await model.complete({ ...request, messages }, (piece) => text.push(piece));
  return { reply, text };
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => new Error('nothing failed'),
    (error: unknown) => error,
  );
  return outcome instanceof Error ? outcome : new Error(String(outcome));
}
