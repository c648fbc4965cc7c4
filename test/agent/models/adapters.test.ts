import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/contract/message.ts';
import type { Script } from '../../support/model/script.ts';
import { adapters, ask, bash, endServers, hello, result, startAdapter, text } from './adapter-contract.ts';

endServers();

describe.each(adapters)('$title', (adapter) => {
  const { api, thinks } = adapter;
  const start = (script: Script) => startAdapter(adapter, script);

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

  it('sends two calls and their results, with thinking, in the next turn', async () => {
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

  it('reuses the connection from turn to turn', async () => {
    const { server, model } = await start(() => ({ text: 'Again.' }));
    for (let turn = 0; turn < 3; turn += 1) await ask(model, hello);
    expect(server.requests).toHaveLength(3);
    // If a reader stops at the last event, the socket may become free a moment later.
    expect(server.connections()).toBeLessThan(3);
  });

  it('passes on arguments that are no JSON as text and sends them back as an object', async () => {
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

  it('sends back an invented tool name in characters that endpoints accept', async () => {
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

  it('sends two results each with its image, or names the result beside the image', async () => {
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

  it('continues without an image that the endpoint refuses', async () => {
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

  it('sends images, including those of results', async () => {
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
  ] as const)('reports a stop by %s', async (stop, expected) => {
    const { model } = await start(() => ({ text: 'I', stop }));
    const { reply } = await ask(model, hello);
    expect({ stop: reply.stop, parts: reply.message.parts }).toEqual({
      stop: expected,
      parts: [{ type: 'text', text: 'I' }],
    });
  });
});
