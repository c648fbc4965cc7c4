import { describe, expect, it } from 'vitest';
import { plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import { chatRequest } from '../../../src/agent/models/chat-request.ts';
import { chatAssembler } from '../../../src/agent/models/openai-chat.ts';
import type { Json } from '../../../src/contract/json.ts';
import type { Message } from '../../../src/contract/message.ts';
import { endpointFor } from './endpoint-fixture.ts';

type Delta = Record<string, unknown>;
/** A chunk as servers send it, which does not always match its type. */
const chunk = (delta: Delta, finish_reason: string | null = null, usage?: object): Json =>
  JSON.parse(JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], usage }));

function assemble(chunks: Json[], usedIds: string[] = []) {
  const assembler = chatAssembler('local', new Set(usedIds));
  const text = chunks.map((one) => assembler.push(one)).join('');
  const reply = assembler.finish();
  return { text, stop: reply?.stop, parts: reply?.message.parts };
}
const anyId = expect.stringMatching(/^call_[0-9a-f-]{36}$/);

describe('chatAssembler', () => {
  it('separates calls by id if a server gives all of them the same index', () => {
    const call = (id: string, name: string, json: string) => ({
      tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: json } }],
    });
    expect(
      assemble([chunk(call('a', 'read', '{"n":1}')), chunk(call('b', 'glob', '{"n":2}')), chunk({}, 'stop')]),
    ).toEqual({
      text: '',
      stop: 'tool_calls',
      parts: [
        { type: 'tool_call', id: 'a', name: 'read', input: { n: 1 } },
        { type: 'tool_call', id: 'b', name: 'glob', input: { n: 2 } },
      ],
    });
  });

  it('generates ids if a server sends none or repeats one', () => {
    const calls = [
      { index: 0, function: { name: 'read', arguments: '' } },
      { index: 1, id: 'call_0', function: { name: 'glob', arguments: { n: 2 } } },
    ];
    expect(assemble([chunk({ tool_calls: calls }), chunk({}, 'tool_calls')], ['call_0'])).toEqual({
      text: '',
      stop: 'tool_calls',
      parts: [
        { type: 'tool_call', id: anyId, name: 'read', input: {} },
        { type: 'tool_call', id: anyId, name: 'glob', input: { n: 2 } },
      ],
    });
  });

  it('reads text in content parts and separates reasoning from it', () => {
    const chunks = [
      chunk({ reasoning_content: 'Hm' }),
      chunk({ reasoning_content: 'm.' }),
      chunk({ content: [{ type: 'text', text: 'Yes' }] }),
      chunk({ content: '.' }, 'stop'),
    ];
    expect(assemble(chunks)).toEqual({
      text: 'Yes.',
      stop: 'end',
      parts: [
        { type: 'opaque', provider: 'local', value: { reasoning_content: 'Hmm.' } },
        { type: 'text', text: 'Yes.' },
      ],
    });
  });

  it('returns data of single calls and reasoning in parts unchanged', () => {
    const google = { google: { thought_signature: 'signed' } };
    const call = { index: 0, id: 'a', extra_content: google, function: { name: 'read', arguments: '{}' } };
    const details = (...reasoning_details: object[]) => chunk({ reasoning_details });
    const { parts } = assemble([
      details({ type: 'reasoning.text', index: 0, text: 'H' }),
      details({ type: 'reasoning.text', index: 0, text: 'm.', signature: 's' }),
      details({ type: 'reasoning.encrypted', index: 1, data: 'xyz' }),
      chunk({ tool_calls: [call] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '' } }] }, 'tool_calls'),
    ]);
    const message = { role: 'assistant' as const, parts: parts ?? [] };
    const request = { system: '', tools: [], effort: 3, signal: new AbortController().signal };
    const { messages } = chatRequest(
      { ...request, messages: [message] },
      endpointFor('x/m', { author: 'local' }),
    );
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' }, extra_content: google },
        ],
        reasoning_details: [
          { type: 'reasoning.text', index: 0, text: 'Hm.', signature: 's' },
          { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
        ],
      },
    ]);
  });

  it.each([
    [
      'OpenAI',
      { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } },
      [10, 60, 30, undefined],
    ],
    ['DeepSeek', { prompt_cache_hit_tokens: 60 }, [40, 60, 0, undefined]],
    ['OpenRouter, with what it charged', { cost: 0.25 }, [100, 0, 0, 0.25]],
  ])('counts each token once if %s reports cached tokens', (_title, more, expected) => {
    const assembler = chatAssembler('local', new Set());
    assembler.push(chunk({ content: 'Yes.' }, 'stop', { prompt_tokens: 100, completion_tokens: 5, ...more }));
    const reply = assembler.finish();
    const { input, cache_read, cache_write } = reply?.usage ?? {};
    expect([input, cache_read, cache_write, reply?.costUsd]).toEqual(expected);
  });

  it.each([
    ['beside the others, as xAI does', 12, 340, 354, 342],
    ['as part of the others, as OpenAI does', 12, 1, 14, 2],
    ['without a sum', 12, 340, undefined, 2],
  ])('counts reasoning once if a server counts it %s', (_title, prompt_tokens, reasoning_tokens, total_tokens, expected) => {
    const assembler = chatAssembler('local', new Set());
    const completion_tokens_details = { reasoning_tokens };
    const counts = { prompt_tokens, completion_tokens: 2, total_tokens, completion_tokens_details };
    assembler.push(chunk({ content: 'Yes.' }, 'stop', counts));
    expect(assembler.finish()?.usage.output).toBe(expected);
  });

  it('has no reply before a finish reason', () => {
    expect(assemble([chunk({ content: 'Half' })])).toEqual({
      text: 'Half',
      stop: undefined,
      parts: undefined,
    });
  });
});

describe('chatRequest', () => {
  const endpoint = endpointFor('local/m', { key: null });
  const request = (messages: Message[]) => ({
    system: '',
    tools: [],
    messages,
    effort: 4,
    signal: new AbortController().signal,
  });
  const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

  it('sends no field that a small server may not support', () => {
    expect(
      chatRequest(request([hello]), { ...endpoint, chat: { ...plainDialect, streamUsage: false } }),
    ).toEqual({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('returns reasoning with its calls, only to the provider it came from', () => {
    const turn = (provider: string, withCall: boolean): Message => ({
      role: 'assistant',
      parts: [
        { type: 'opaque', provider, value: { reasoning_content: 'Hmm.' } },
        { type: 'text', text: 'I look.' },
        ...(withCall ? [{ type: 'tool_call' as const, id: 'a', name: 'read', input: {} }] : []),
      ],
    });
    const { messages } = chatRequest(
      request([hello, turn('local/m', true), turn('local/other', true), turn('local/m', false)]),
      endpoint,
    );
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }];
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: 'I look.', tool_calls, reasoning_content: 'Hmm.' },
      { role: 'assistant', content: 'I look.', tool_calls },
      { role: 'assistant', content: 'I look.' },
    ]);
  });
});
