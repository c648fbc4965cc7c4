import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { connect, describeMcpFailure, failureOf } from '../../../src/extensions/mcp/connect.ts';
import { RequestFailure } from '../../../src/network/request-failure.ts';

/** A server in this process, which answers each request by a row of its script: a result, an error, or never. */
async function play(
  script: Readonly<Record<string, JsonObject | Error | 'never'>>,
  { root = null as string | null, instructions = undefined as string | undefined, capabilities = {} } = {},
) {
  const received: JsonObject[] = [];
  const told: string[] = [];
  const say = (message: object) => transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const serverInfo = { name: 's', version: '1' };
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
  const transport: Transport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    async send(message) {
      const given = message as unknown as JsonObject & { id?: number; method?: string };
      received.push(given);
      if (given.id === undefined || given.method === undefined) return;
      const answer = given.method === 'initialize' ? hello : script[given.method];
      if (answer === 'never') return;
      if (answer instanceof Error)
        return say({ id: given.id, error: { code: -32_003, message: answer.message } });
      say({ id: given.id, result: answer });
    },
  };
  const connection = await connect(transport, {
    ...{ root, signal: new AbortController().signal, timeoutMs: 60_000 },
    onNotification: (method) => told.push(method),
    onClose: () => told.push('closed'),
  });
  const request = async (
    method: string,
    params?: JsonObject,
    signal = new AbortController().signal,
    timeoutMs = 60_000,
  ) => {
    try {
      return await connection.request(method, params, { signal, timeoutMs });
    } catch (error) {
      return error instanceof McpError ? failureOf(error) : error;
    }
  };
  return { connection, request, received, told, say, transport };
}

test("a server receives the client's name, and roots if there are any", async () => {
  const hello = async (root: string | null) =>
    (await play({}, { root })).received.slice(0, 2).map(({ method, params }) => ({ method, params }));
  const requested = (capabilities: JsonObject) => [
    {
      method: 'initialize',
      params: {
        protocolVersion: expect.any(String),
        capabilities,
        clientInfo: { name: 'anode-ci', version: '1' },
      },
    },
    { method: 'notifications/initialized', params: undefined },
  ];
  expect([await hello(null), await hello('/a b')]).toEqual([requested({}), requested({ roots: {} })]);
});

test('a server may request only the roots, if they were announced', async () => {
  const answers = async (root: string | null) => {
    const { received, say } = await play({}, { root });
    say({ id: 7, method: 'roots/list' });
    say({ id: 8, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    await expect.poll(() => received.length).toBe(4);
    return received.slice(2).map(({ id, result, error }) => [id, result ?? (error as JsonObject).code]);
  };
  expect([await answers('/a b'), await answers(null)]).toEqual([
    [
      [8, -32_601],
      [7, { roots: [{ uri: 'file:///a%20b', name: 'workspace' }] }],
    ],
    [
      [7, -32_601],
      [8, -32_601],
    ],
  ]);
});

test("a server's description is stored, and its notifications are passed on", async () => {
  const full = await play(
    {},
    { instructions: 'Use it.', capabilities: { tools: {}, prompts: { listChanged: true } } },
  );
  const { connection, told, say } = full;
  say({ method: 'notifications/tools/list_changed' });
  say({ method: 'notifications/odd' });
  await expect.poll(() => told.length).toBe(2);
  await connection.close();
  const bare = (await play({})).connection;
  expect([
    [...connection.capabilities].toSorted(),
    connection.instructions,
    told,
    [...bare.capabilities],
    bare.instructions,
  ]).toEqual([
    ['prompts', 'tools'],
    'Use it.',
    ['notifications/tools/list_changed', 'notifications/odd', 'closed'],
    [],
    '',
  ]);
});

test("a request is sent unchanged, and gives the server's result or the reason for none", async () => {
  const result = { content: 5, odd: [true] };
  const { request, received, connection, transport } = await play({
    one: result,
    two: new Error('no'),
    three: 'never',
  });
  const over = new AbortController();
  over.abort('over');
  const stop = new AbortController();
  const stopped = request('three', {}, stop.signal);
  stop.abort('stopped');
  expect([
    await request('one', { a: 1 }),
    await request('one'),
    await request('two'),
    await request('three', {}, undefined, 1),
    await request('one', {}, over.signal),
    await stopped,
  ]).toEqual([
    result,
    result,
    { kind: 'answered', code: -32_003, message: 'no' },
    { kind: 'late' },
    'over',
    'stopped',
  ]);
  const lost = request('three');
  await transport.close();
  expect(await lost).toEqual({ kind: 'closed' });
  expect(received.filter(({ method }) => method === 'one').map(({ params }) => params)).toEqual([
    { a: 1 },
    undefined,
  ]);
  await connection.close();
});

describe('an error of a server', () => {
  const coded = (message: string, code: unknown) => Object.assign(new Error(message), { code });
  const rows: [unknown, ReturnType<typeof failureOf>, string][] = [
    [new McpError(-32_001, 'x'), { kind: 'late' }, 'did not answer within 9 s'],
    [new McpError(-32_000, 'x'), { kind: 'closed' }, 'closed the connection'],
    [new McpError(5, 'no'), { kind: 'answered', code: 5, message: 'no' }, 'answered with an error: no'],
    [
      new McpError(-6, 'MCP error -6: MCP error 7: no'),
      { kind: 'answered', code: -6, message: 'MCP error 7: no' },
      'answered with an error: MCP error 7: no',
    ],
    [
      new McpError(6, 'an MCP error 7: no'),
      { kind: 'answered', code: 6, message: 'an MCP error 7: no' },
      'answered with an error: an MCP error 7: no',
    ],
    [coded('no', 404), { kind: 'broken', code: 404, message: 'no' }, 'could not be asked: no'],
    [coded('no', 'E'), { kind: 'broken', code: 0, message: 'no' }, 'could not be asked: no'],
    [new Error('no'), { kind: 'broken', code: 0, message: 'no' }, 'could not be asked: no'],
    ['words', { kind: 'broken', code: 0, message: 'words' }, 'could not be asked: words'],
    [null, { kind: 'broken', code: 0, message: 'null' }, 'could not be asked: null'],
  ];

  test.for(
    rows.map(([error, failure, words], row) => ({ error, failure, argv: words, row })),
  )('of row $row has its own message', ({ error, failure, argv: words }) => {
    expect([failureOf(error), describeMcpFailure(error, 9, (text) => text)]).toEqual([failure, words]);
  });

  test('over the size limit counts as answered, unlike other failures of requests', () => {
    const failure = (kind: 'too_large' | 'timeout') => failureOf(new RequestFailure(kind, 'has 9 bytes'));
    expect([failure('too_large').kind, failure('timeout').kind]).toEqual(['answered', 'broken']);
    expect(failure('too_large')).toMatchObject({ message: 'it has 9 bytes' });
  });

  test('is reported without secrets, in 500 characters', () => {
    const reported = describeMcpFailure(new Error(`\u001b[2J${'key '.repeat(200)}`), 9, (text) =>
      text.replaceAll('key', '***'),
    );
    expect([reported.length, reported.includes('key'), reported.includes('\u001b')]).toEqual([
      'could not be asked: '.length + 500,
      false,
      false,
    ]);
  });
});
