import { expect, test } from 'vitest';
import type { CallToolPorts } from '../../../src/agent/calls/call-tool.ts';
import { makeToolCalls } from '../../../src/agent/loop/tool-calls.ts';
import type { Json } from '../../../src/contract/json.ts';

test('a call waits for the tool that it needs; for use_tool that is the tool it names', async () => {
  const requested: (readonly string[])[] = [];
  const tools = { ready: async (names: readonly string[]) => void requested.push(names) };
  const { ready } = makeToolCalls({ tools } as unknown as CallToolPorts);
  const part = (name: string, input: Json) => ({ type: 'tool_call' as const, id: name, name, input });
  await ready([
    part('read', { name: 'x' }),
    part('use_tool', { name: 'tb__tests', args: {} }),
    part('use_tool', { args: {} }),
    part('use_tool', '{"name": '),
    part('tool_search', { query: 'x' }),
  ]);
  expect(requested).toEqual([['read', 'tb__tests', 'use_tool', 'use_tool', 'tool_search']]);
});
