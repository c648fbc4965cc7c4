import { afterEach, expect, it } from 'vitest';
import { createModel } from '../../../src/agent/models/create-model.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Script } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const tools = [
  {
    name: 'read',
    description: 'Reads a file.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        lines: { type: 'array', items: { type: 'integer' } },
        how: { enum: ['text', 'bytes'] },
        at: { type: 'object', properties: { line: { type: 'number' } }, required: ['line'] },
      },
      required: ['path'],
    },
  },
];
const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

async function start(script: Script) {
  const server = await startScriptedModel({ script });
  servers.push(server);
  const model = await createModel({
    name: 'local/small',
    providers: {
      local: { type: 'openai-compatible', baseUrl: `${server.url}/v1`, nativeTools: false },
    },
    environment: {},
  });
  const ask = async (messages: Message[]) => {
    const text: string[] = [];
    const signal = new AbortController().signal;
    const reply = await model.complete({ system: 'You test.', tools, messages, effort: 3, signal }, (piece) =>
      text.push(piece),
    );
    return { reply, text };
  };
  return { server, model, ask };
}

/** Ids are random: each is replaced by its place. */
function withoutIds(message: Message): unknown[] {
  return message.parts.map((part) => (part.type === 'tool_call' ? { ...part, id: 'ID' } : part));
}

it('lists the tools in the system text instead of the request', async () => {
  const { server, model, ask } = await start(() => ({ text: 'ANSWER: Hello!' }));
  const { reply, text } = await ask([hello]);
  expect(model.nativeTools).toBe(false);
  expect(reply.message.parts).toEqual([{ type: 'text', text: 'Hello!' }]);
  expect({ text, stop: reply.stop }).toEqual({ text: ['Hello!'], stop: 'end' });
  const [request] = server.requests;
  expect(request?.tools).toEqual([]);
  expect(request?.raw).not.toHaveProperty('tools');
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.system.startsWith('You test.\n\n# How you act\n')).toBe(true);
  expect(request?.system).toContain(
    'read(path: string, lines?: [integer], how?: "text" | "bytes", at?: {line: number})\n  Reads a file.',
  );
});

it('converts directives to calls, and calls and results to text', async () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
  const { server, ask } = await start(({ messages }) =>
    messages.length === 1
      ? { text: `I look.\nBASH: ls\nTOOL: {"name": "read", "args": {"path": "x"}}\nPATCH:\n${patch}` }
      : { text: 'ANSWER: Done.' },
  );
  const first = await ask([hello]);
  expect(first.reply.stop).toBe('tool_calls');
  expect(first.text).toEqual(['I look.']);
  expect(withoutIds(first.reply.message)).toEqual([
    { type: 'text', text: 'I look.' },
    { type: 'tool_call', id: 'ID', name: 'bash', input: { command: 'ls' } },
    { type: 'tool_call', id: 'ID', name: 'read', input: { path: 'x' } },
    { type: 'tool_call', id: 'ID', name: 'PATCH', input: { patch } },
  ]);
  const ids = first.reply.message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  expect(new Set(ids).size).toBe(3);
  const results = ids.map((call_id, index) => ({
    type: 'tool_result' as const,
    call_id,
    content: [{ type: 'text' as const, text: `result ${index}` }],
    is_error: index === 1,
  }));
  const second = await ask([hello, first.reply.message, { role: 'user', parts: results }]);
  expect(second.reply.message.parts).toEqual([{ type: 'text', text: 'Done.' }]);
  expect(server.rejections).toEqual([]);
  expect(server.requests[1]?.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      parts: [
        {
          type: 'text',
          text: `I look.\nBASH: ls\nTOOL: {"name":"read","args":{"path":"x"}}\nPATCH:\n${patch}`,
        },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          type: 'text',
          text: 'RESULT 1 of 3:\nresult 0\n\nRESULT 2 of 3 (error):\nresult 1\n\nRESULT 3 of 3:\nresult 2',
        },
      ],
    },
  ]);
});

/** The model's view of its first reply after its calls failed with these errors. */
async function replay(text: string, stop: 'end' | 'length' = 'end') {
  const { server, ask } = await start(({ messages }) =>
    messages.length === 1 ? { text, stop } : { text: 'ANSWER: Done.' },
  );
  const { reply } = await ask([hello]);
  const ids = reply.message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  const results = ids.map((call_id) => ({
    type: 'tool_result' as const,
    call_id,
    content: [{ type: 'text' as const, text: 'It failed.' }],
    is_error: true,
  }));
  const next = ids.length > 0 ? results : [{ type: 'text' as const, text: 'Go on.' }];
  await ask([hello, reply.message, { role: 'user', parts: next }]);
  const seen = server.requests[1]?.messages.slice(1).map(({ parts }) => parts);
  return { parts: withoutIds(reply.message), stop: reply.stop, seen };
}

it('keeps calls with raw line breaks as objects, without the text after them', async () => {
  const input = { path: 'x', how: 'a\n\tb' };
  expect(
    await replay(
      'I look.\nTOOL: {"name": "read", "args": {"path": "x", "how": "a\n\tb",}}\nRESULT: y\nANSWER: z',
    ),
  ).toEqual({
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'ID', name: 'read', input },
    ],
    stop: 'tool_calls',
    seen: [
      [{ type: 'text', text: `I look.\nTOOL: ${JSON.stringify({ name: 'read', args: input })}` }],
      [{ type: 'text', text: 'RESULT (error):\nIt failed.' }],
    ],
  });
});

it('explains how to write a call that could not be parsed, and quotes it', async () => {
  const text = 'TOOL: read("lib/view.js")\nTOOL: {"name": "read", "args": {"path": "a';
  expect(await replay(text)).toEqual({
    parts: [
      { type: 'tool_call', id: 'ID', name: 'TOOL', input: 'read("lib/view.js")' },
      { type: 'tool_call', id: 'ID', name: 'read', input: '{"path": "a' },
    ],
    stop: 'tool_calls',
    seen: [
      [{ type: 'text', text }],
      [
        {
          type: 'text',
          text: [
            'RESULT 1 of 2 (error):\nIt failed.\nWrite a call on one line, as valid JSON: TOOL: {"name": "read", "args": {"path": "lib/view.js"}}',
            'RESULT 2 of 2 (error):\nIt failed.\nWrite a call on one line, as valid JSON: TOOL: {"name": "read", "args": {"path": "…"}}',
          ].join('\n\n'),
        },
      ],
    ],
  });
});

it('does not run a truncated command', async () => {
  expect(await replay('BASH: rm -rf build/ca', 'length')).toEqual({
    parts: [{ type: 'tool_call', id: 'ID', name: 'bash', input: '{"command":"rm -rf build/ca"…' }],
    stop: 'length',
    seen: [
      [{ type: 'text', text: 'TOOL: {"name": "bash", "args": {"command":"rm -rf build/ca"…' }],
      [
        {
          type: 'text',
          text: 'RESULT (error):\nIt failed.\nStart a line with BASH: and write the whole command behind it.',
        },
      ],
    ],
  });
});

it('treats prose that announces an action as unclear, but not an explicit answer', async () => {
  const text = 'The parser is at fault. Let me look at the tests.';
  expect(await replay(text)).toEqual({
    parts: [{ type: 'text', text }],
    stop: 'unclear',
    seen: [[{ type: 'text', text }], [{ type: 'text', text: 'Go on.' }]],
  });
  const { ask } = await start(() => ({ text: `I looked.\nANSWER: ${text}` }));
  const { reply } = await ask([hello]);
  expect({ parts: reply.message.parts, stop: reply.stop }).toEqual({
    parts: [{ type: 'text', text: `I looked.\n\n${text}` }],
    stop: 'end',
  });
});

it('removes calls that an endpoint has parsed from the text', async () => {
  const { ask } = await start(() => ({ text: 'I look.', calls: [{ name: 'read', input: { path: 'x' } }] }));
  const { reply } = await ask([hello]);
  expect({ parts: withoutIds(reply.message), stop: reply.stop }).toEqual({
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'ID', name: 'read', input: { path: 'x' } },
    ],
    stop: 'tool_calls',
  });
});

it('puts the image of a result directly after its text', async () => {
  const { server, ask } = await start(() => ({ text: 'ANSWER: Blue.' }));
  const image = { type: 'image' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' };
  const result = (call_id: string) => ({
    type: 'tool_result' as const,
    call_id,
    content: [{ type: 'text' as const, text: `of ${call_id}` }, image],
    is_error: false,
  });
  const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'view_image', input: { path: id } });
  await ask([
    hello,
    { role: 'assistant', parts: [call('a'), call('b')] },
    { role: 'user', parts: [result('a'), result('b')] },
  ]);
  expect(server.requests[0]?.messages.at(-1)?.parts).toEqual([
    { type: 'text', text: 'RESULT 1 of 2:\nof a' },
    image,
    { type: 'text', text: 'RESULT 2 of 2:\nof b' },
    image,
  ]);
});
