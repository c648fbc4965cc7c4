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

it('tells the tools in the system text instead of advertising them', async () => {
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

it('makes calls of directives, and text of calls and results', async () => {
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
