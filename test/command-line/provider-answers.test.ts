import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import type { Api, Reply, ScriptedRequest } from '../support/model/script.ts';
import { startScriptedModel } from '../support/model/scripted-model.ts';
import { allTextOf, call, lastResults, turnOf } from '../uses/support/conversation.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 120_000 });

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n' });
});
afterAll(() => local.close());

const models = { messages: 'anthropic/claude-sonnet-4-6', chat: 'own/any', responses: 'gpt/gpt-5.5' };

/** Events of a stream, each as its JSON; `[DONE]` and names of events as they are. */
const stream = (...events: readonly (Json | { readonly type: string })[]): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events
    .map((event) => {
      if (event === '[DONE]') return 'data: [DONE]\n\n';
      const isTyped = typeof event === 'object' && event !== null && 'type' in event;
      return `${isTyped ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
    })
    .join(''),
});

/** A run of the built program whose first requests are answered so: how it ended, and what was asked. */
async function run(task: string, api: Api, answers: readonly Reply[], more: { readonly idle?: number } = {}) {
  const config = path.join(local.home, `${task.replaceAll(' ', '-')}.json`);
  const at = `${local.model.url}/v1`;
  const key = '{env:OWN_KEY}';
  const providers = {
    own: { type: 'openai-compatible', baseUrl: at, apiKey: key },
    gpt: { type: 'openai', baseUrl: at, apiKey: key },
  };
  await writeFile(config, JSON.stringify({ providers, models: { idleTimeoutSeconds: more.idle ?? 300 } }));
  const left = [...answers];
  local.learn(task, () => left.shift() ?? { text: 'Done.' });
  const { code, stdout, stderr } = await local.anode(
    folder,
    [
      ...['run', '--config', config, '--model', models[api], '--prompt', task],
      ...['--output', 'stream-json', '--sandbox', 'off'],
    ],
    { environment: { OWN_KEY: localKey } },
  );
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const of = (type: string) => events.filter((event) => event.type === type);
  const [ended] = of('run.finished');
  return {
    of,
    stdout,
    stderr,
    requests: local.requestsFor(task),
    outcome: { code, answer: ended?.answer, stop: ended?.stop?.message ?? null, usage: ended?.usage },
  };
}

const usage = (input: number, output: number) => ({ input, output, cache_read: 0, cache_write: 0 });
const started = (counts: Json) => ({
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: counts },
});
const textBlock = (index: number, text: string) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
];
const stopped = (stop_reason: string, counts: Json) => [
  { type: 'message_delta', delta: { stop_reason }, usage: counts },
  { type: 'message_stop' },
];
const chunk = (delta: Json, more: { readonly [key: string]: Json } = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});

describe.concurrent("an answer that differs from the vendor's own", () => {
  test('has the counts from the end of the message, not from its beginning', async () => {
    const { outcome } = await run('count at the end', 'messages', [
      stream(
        started({ input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5 }),
        ...textBlock(0, 'Found.'),
        ...stopped('end_turn', { input_tokens: 900, output_tokens: 40, cache_read_input_tokens: 70 }),
      ),
    ]);
    expect(outcome).toEqual({
      ...{ code: 0, answer: 'Found.', stop: null },
      usage: { input: 900, output: 40, cache_read: 70, cache_write: 0 },
    });
  });

  test('with a paused turn continues from its own message', async () => {
    const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
    const { outcome, requests } = await run('pause the turn', 'messages', [
      stream(
        started({ input_tokens: 10, output_tokens: 1 }),
        ...textBlock(0, 'I look. '),
        ...stopped('pause_turn', { output_tokens: 5 }),
      ),
      stream(
        started({ input_tokens: 20, output_tokens: 1 }),
        { type: 'content_block_start', index: 0, content_block: search },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"q":1}' },
        },
        { type: 'content_block_stop', index: 0 },
        ...textBlock(1, 'It is blue.'),
        ...stopped('end_turn', { output_tokens: 7 }),
      ),
    ]);
    expect(outcome).toEqual({
      ...{ code: 0, answer: 'I look. It is blue.', stop: null, usage: usage(30, 12) },
    });
    expect(requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant'],
    ]);
  });

  test('without a finish reason is complete if it has counts and [DONE]', async () => {
    const { outcome, requests } = await run('finish without reason', 'chat', [
      stream(
        chunk({ role: 'assistant', content: 'It is four.' }),
        { choices: [], usage: { prompt_tokens: 22, completion_tokens: 5, total_tokens: 27 } },
        '[DONE]',
      ),
    ]);
    expect(outcome).toEqual({ code: 0, answer: 'It is four.', stop: null, usage: usage(22, 5) });
    expect(requests).toHaveLength(1);
  });

  test.for<[title: string, last: Json, counted: ReturnType<typeof usage>]>([
    [
      'reasoning that xAI counts beside the answer',
      {
        ...{ prompt_tokens: 12, completion_tokens: 1, total_tokens: 303 },
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      usage(12, 291),
    ],
    ['a field of Groq’s own', { prompt_tokens: 31, completion_tokens: 3, total_tokens: 34 }, usage(31, 3)],
  ])('is counted once: %s', async ([title, counts, counted]) => {
    const own = title.includes('Groq') ? { x_groq: { id: 'req_1', usage: counts } } : { usage: counts };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...own };
    const { outcome } = await run(`count ${title}`, 'chat', [
      stream(chunk({ content: 'Here.' }, { x_groq: { id: 'req_1' } }), end, '[DONE]'),
    ]);
    expect(outcome).toEqual({ code: 0, answer: 'Here.', stop: null, usage: counted });
  });

  const refusedCall = (failed_generation: string): Json => ({
    error: {
      message: 'Failed to call a function. Please adjust your prompt.',
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      failed_generation,
    },
  });

  test('with a call that Groq refused has the call made', async () => {
    const { outcome, requests } = await run('read the refused call', 'chat', [
      { status: 400, body: refusedCall('{"name": "read", "arguments": {"path": "a.txt"}}') },
    ]);
    expect(outcome).toEqual(expect.objectContaining({ code: 0, answer: 'Done.', stop: null }));
    expect(requests.slice(1).map(lastResults)).toEqual([expect.stringContaining('red')]);
  });

  test('with an unreadable call gives the model a message, also from a stream', async () => {
    const { outcome, requests } = await run('lose the call', 'chat', [
      { status: 400, body: refusedCall('I would read a.txt now.') },
      stream(chunk({ content: 'maybe' }), { type: 'error', ...(refusedCall('') as object) }),
    ]);
    expect(outcome).toEqual(expect.objectContaining({ code: 0, answer: 'Done.', stop: null }));
    const words = expect.stringContaining('The provider could not read your tool call');
    expect(requests.slice(1).map(lastResults)).toEqual([words, words]);
  });
});

describe.concurrent('a refusal is reported with the remedy for', () => {
  const says = (message: string, more: { readonly [key: string]: Json } = {}) => ({
    error: { message, ...more },
  });
  const anthropic = (type: string, message: string) => ({
    type: 'error',
    error: { type, message },
    request_id: 'req_9',
  });
  test.for<[title: string, api: Api, answer: Reply, message: RegExp]>([
    [
      'an unknown model',
      'messages',
      { status: 404, body: anthropic('not_found_error', 'model: claude-sonet') },
      /knows no model claude-sonnet-4-6, or has no such endpoint \(404 model: claude-sonet\): check the model's name/,
    ],
    [
      'a wrong key',
      'chat',
      { status: 401, body: says('No such key', { code: 'invalid_api_key' }) },
      /did not accept the key in OWN_KEY \(401 No such key\): set a valid one/,
    ],
    [
      'a key without the right',
      'responses',
      { status: 403, body: says('This project may not') },
      /does not allow the key in OWN_KEY to use the model gpt-5.5 \(403 This project may not\): give the key this permission/,
    ],
    [
      'a request that the provider does not take',
      'messages',
      { status: 400, body: anthropic('invalid_request_error', 'No such effort.') },
      /failed: 400 No such effort\. Tried once\. The provider does not take this request/,
    ],
    [
      'a used-up quota, in the words of the provider behind a router',
      'chat',
      {
        status: 402,
        body: says('Provider returned error', { metadata: { provider_name: 'Hill', raw: 'no credit left' } }),
      },
      /failed: 402 Provider returned error \(Hill: no credit left\)\. Tried once\. .*check plan and billing/,
    ],
    [
      'a filter',
      'chat',
      { status: 400, body: says('Filtered', { code: 'content_filter' }) },
      /filter at .* refused the request: 400 Filtered\. Rephrase the task/,
    ],
    [
      'a request that is too long',
      'responses',
      { status: 400, body: says('Too many tokens', { code: 'context_length_exceeded' }) },
      /does not fit into the window of gpt-5.5 any more \(400 Too many tokens\)\. Give the run a smaller task/,
    ],
    [
      'a rate limit that is too far off',
      'messages',
      {
        status: 429,
        headers: { 'retry-after': '7200' },
        body: anthropic('rate_limit_error', 'Per-day limit reached'),
      },
      /failed: 429 Per-day limit reached\. Tried once\. Start the run again later, or raise the rate limit/,
    ],
    [
      'a body that is no JSON',
      'chat',
      { status: 400, body: '<html><head><title>Bad gateway rule</title></head><body>x</body></html>' },
      /failed: 400 Bad gateway rule\. Tried once/,
    ],
  ])('%s', async ([title, api, answer, message]) => {
    const { stdout, stderr } = await run(`refuse for ${title}`, api, [answer]);
    const shown = `${stdout}${stderr}`;
    expect(shown).toMatch(message);
    expect(shown).not.toMatch(/req_9|\{\\*"type\\*":\\*"error/);
  });
});

describe.concurrent('waiting for the provider is reported', () => {
  test('before each retry, with its reason and length', async () => {
    const { of, outcome } = await run('wait for the overload', 'messages', [
      { status: 529, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'Overloaded' } } },
      { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'Slow down' } } },
    ]);
    expect(outcome).toEqual(expect.objectContaining({ code: 0, answer: 'Done.' }));
    const wait = { type: 'model.waiting', model: models.messages, attempts: 8, wait_ms: expect.any(Number) };
    expect(of('model.waiting')).toEqual([
      {
        ...{ ...wait, reason: 'overloaded', attempt: 2 },
        message: expect.stringMatching(
          /^Waiting for the model at 127\.0\.0\.1:\d+: 529 Overloaded\. Try 2 of 8 begins in [\d.]+ s\.$/,
        ),
      },
      {
        ...{ ...wait, reason: 'rate_limited', attempt: 3 },
        message: expect.stringContaining('429 Slow down. Try 3 of 8 begins in'),
      },
    ]);
  });

  test('while the provider is silent, and when that attempt ends', async () => {
    const { of, outcome } = await run('wait in silence', 'chat', [{ fault: 'stall' }], { idle: 1 });
    expect(outcome).toEqual(expect.objectContaining({ code: 0, answer: 'Done.' }));
    const waits = of('model.waiting');
    const told = waits.map(({ reason, attempt, attempts }) => `${reason} ${attempt} of ${attempts}`);
    expect(told.slice(0, told.indexOf('idle 2 of 2') + 1)).toEqual([
      ...Array.from({ length: told.lastIndexOf('silent 1 of 2') + 1 }, () => 'silent 1 of 2'),
      'idle 2 of 2',
    ]);
    expect(waits[0]?.message).toMatch(
      /^Waiting for the model at 127\.0\.0\.1:\d+: it has sent nothing for 0\.1 s\. This is try 1 of 2\. It ends after 1 s without data, or after 1,200 s in total\.$/,
    );
  });

  test('on standard error at a terminal', async () => {
    let times = 0;
    local.learn('wait at the terminal', () => {
      times += 1;
      if (times > 1) return { text: 'Done.' };
      return { status: 503, headers: { 'retry-after-ms': '1' }, body: { error: 'busy' } };
    });
    const { stderr } = await local.anode(folder, [
      'run',
      '--prompt',
      'wait at the terminal',
      '--sandbox',
      'off',
    ]);
    expect(stderr).toMatch(/^! Waiting for the model at 127\.0\.0\.1:\d+: 503 busy\. Try 2 of 8 begins in/m);
  });
});

describe.concurrent('an endpoint behind OPENAI_BASE_URL', () => {
  const at = () => ({ OPENAI_BASE_URL: `${local.model.url}/v1`, OPENAI_API_KEY: localKey });
  const asked = (requests: readonly ScriptedRequest[]) => requests.map(({ api }) => api);

  test('is used with Chat Completions if it has no Responses, and the setting is named', async () => {
    const noResponses: Reply = { status: 404, body: { detail: 'Not Found' } };
    local.learn('speak chat', (turn, { api }) => {
      if (api === 'responses') return noResponses;
      return turn === 1
        ? { calls: [call('code_review', { diff_description: 'CHILD of chat', files: ['a.txt'] })] }
        : { text: 'Spoken.' };
    });
    local.learn('CHILD of chat', (_, { api }) => (api === 'responses' ? noResponses : { text: 'Fine.' }));
    const { code, stdout, stderr } = await local.anode(
      folder,
      ['run', '--model', 'openai/local', '--prompt', 'speak chat', '--sandbox', 'off'],
      { environment: at() },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Spoken.') });
    expect(stderr.match(/has no Responses API.*$/gm)).toEqual([
      expect.stringMatching(
        /\(POST http.*\/v1\/responses: 404 Not Found\), so this run speaks Chat Completions to it\. Set providers\.openai\.type to openai-compatible/,
      ),
    ]);
    const children = asked(local.requestsFor('CHILD of chat'));
    expect(asked(local.requestsFor('speak chat'))).toEqual(['responses', 'chat', 'chat']);
    expect(children.length).toBeGreaterThan(0);
    expect(children).not.toContain('responses');
  });

  test('is reported with both answers if it has neither', async () => {
    local.learn('speak neither', () => ({ status: 404, body: { detail: 'Not Found' } }));
    const { stdout, stderr } = await local.anode(
      folder,
      ['run', '--model', 'openai/local', '--prompt', 'speak neither', '--sandbox', 'off'],
      { environment: at() },
    );
    expect(`${stdout}${stderr}`).toMatch(
      /POST \/responses: 404 Not Found; POST \/chat\/completions: 404 Not Found\): check the model's name and the base URL .*providers\.openai\.type/,
    );
  });
});

test('a placeholder for a key is no secret, and a warning says so', async () => {
  let shown = '';
  const server = await startScriptedModel({
    key: 'ollama',
    script: (request) => {
      shown += allTextOf(request);
      return turnOf(request) === 1
        ? { calls: [call('read', { path: 'b.txt' })] }
        : { text: 'I asked ollama.' };
    },
  });
  try {
    const checkout = await local.checkout({ 'b.txt': 'runs on ollama\n' });
    const { code, stdout, stderr } = await local.anode(
      checkout,
      ['run', '--model', 'openai/local', '--prompt', 'ask ollama for red', '--sandbox', 'off'],
      { environment: { OPENAI_API_KEY: 'ollama', OPENAI_BASE_URL: `${server.url}/v1` } },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('I asked ollama.') });
    expect(shown).toContain('ask ollama for red');
    expect(shown).toContain('runs on ollama');
    expect(stderr).toContain('! The key in OPENAI_API_KEY is a placeholder or a short word, not a secret');
  } finally {
    await server.close();
  }
});
