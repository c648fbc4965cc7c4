import { expect, test } from 'vitest';
import { routeCall } from '../../src/agent/route-call.ts';
import { makeToolSet } from '../../src/agent/tool-set.ts';
import type { Json } from '../../src/contract/json.ts';
import { builtinTools } from '../../src/tools/builtin-tools.ts';

const tools = makeToolSet(
  builtinTools,
  {
    name: 'test',
    purpose: '',
    tools: builtinTools.map((tool) => tool.name),
    readOnly: false,
    maxTurns: 1,
    effort: 0,
  },
  [],
);

const patch = "*** Begin Patch\n*** Add File: it's.txt\n+it's\n*** End Patch\n";
const heredoc = `apply_patch <<'EOF'\n${patch}EOF`;

/** The tool a call goes to, and its input. */
function routed(name: string, input: Json): unknown {
  const { found, input: inner } = routeCall({ type: 'tool_call', id: 'call_1', name, input }, tools);
  return [found.tool.name, inner];
}

test.each([
  ['text', { command: heredoc }, {}],
  ['text in another folder', { cmd: `cd sub && ${heredoc}`, workdir: 'in' }, { workdir: 'in/sub' }],
  ['words for a shell', { command: ['bash', '-lc', heredoc] }, {}],
  ['words as JSON', { command: JSON.stringify(['bash', '-lc', heredoc]) }, {}],
  ['words for the program itself', { command: ['apply_patch', patch], workdir: 'in' }, { workdir: 'in' }],
])('a shell command that is a patch goes to apply_patch, given as %s', (_, input, more) => {
  expect(routed('shell_command', input)).toEqual(['apply_patch', { patch, ...more }]);
});

test.each([
  [{ command: ['bash', '-lc', 'ls'] }],
  [{ command: ['echo', 'apply_patch', patch] }],
  [{ command: ['apply_patch', patch, 3] }],
  [{ command: [] }],
  [{}],
])('any other goes to bash as it is: %j', (input) => {
  expect(routed('shell', input)).toEqual(['bash', input]);
});

test('use_tool goes to the tool it names, also where its arguments are text that wants repair', () => {
  const read = ['read', { path: 'a' }];
  expect(routed('use_tool', { name: 'read', args: { path: 'a' } })).toEqual(read);
  expect(routed('use_tool', "{'name': 'read', 'args': {'path': 'a',}}")).toEqual(read);
});

test.each(['use_tool', 'Use_Tool'])('use_tool does not go to itself: %s', (name) => {
  expect(() => routed('use_tool', { name, args: { name: 'read', args: {} } })).toThrow(
    'use_tool calls other tools only: give the name of one of them.',
  );
});
