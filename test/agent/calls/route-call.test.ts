import { expect, test } from 'vitest';
import { routeCall } from '../../../src/agent/calls/route-call.ts';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import type { Json } from '../../../src/contract/json.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';

const tools = makeToolSet(
  builtinTools,
  { ...findProfile('craft'), allow: builtinTools.map(({ name }) => name) },
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
])('any other command goes to bash unchanged: %j', (input) => {
  expect(routed('shell', input)).toEqual(['bash', input]);
});

test('use_tool goes to the tool it names, even if its arguments are text that needs repair', () => {
  const read = ['read', { path: 'a' }];
  expect(routed('use_tool', { name: 'read', args: { path: 'a' } })).toEqual(read);
  expect(routed('use_tool', "{'name': 'read', 'args': {'path': 'a',}}")).toEqual(read);
});

test.each(['use_tool', 'Use_Tool'])('use_tool does not go to itself: %s', (name) => {
  expect(() => routed('use_tool', { name, args: { name: 'read', args: {} } })).toThrow(
    'use_tool calls other tools only: give the name of one of them.',
  );
});

test.each([
  ['write_stdin', { session_id: 1, chars: 'a' }, ['shell_session', { session_id: 1, chars: 'a' }]],
  ['write_stdin', { session_id: 1, chars: '' }, ['shell_session', { session_id: 1, action: 'poll' }]],
  ['write_stdin', { session_id: 1 }, ['shell_session', { session_id: 1, action: 'poll' }]],
  ['exec_command', { cmd: 'python3', tty: true }, ['shell_session', { cmd: 'python3', action: 'open' }]],
  ['exec_command', { cmd: 'ls', tty: false }, ['bash', { cmd: 'ls', tty: false }]],
  ['Bash', { command: 'ls', timeout: 120 }, ['bash', { command: 'ls', timeout_ms: 120_000 }]],
  ['Bash', { command: 'ls', timeout: '1.5' }, ['bash', { command: 'ls', timeout_ms: 1_500 }]],
  ['Bash', { command: 'ls', timeout: 9_000 }, ['bash', { command: 'ls', timeout: 9_000 }]],
  ['str_replace_editor', { command: 'view', path: 'a' }, ['read', { path: 'a' }]],
])('the terminal and the editor of other agents are several tools here: %s %j', (name, input, intended) => {
  expect(routed(name, input)).toEqual(intended);
});

test.each([
  ['delegate', /^There is no tool "delegate" in this run\. Tools: /],
  ['task_update', /task_list\?$/],
  ['replace_lines', /Did you mean edit_file\?$/],
])('an unknown tool name is reported with similar names, if there are any: %s', (name, words) => {
  expect(() => routed(name, {})).toThrow(words);
});

test.each([
  ['WebFetch', 'There is no tool "WebFetch" here. The web is not open to this run'],
  ['web_search', 'This run cannot search the web'],
  ['lsp', 'No language server was found for this checkout'],
  ['semantic_search', 'tools.semanticSearch.model names no model'],
  ['monty_python_repl', 'no Python interpreter of its own'],
  ['python_repl', 'no Python interpreter of its own'],
  ['a2a_call', 'may ask no agents elsewhere'],
])('a tool that is not set up is reported with the reason: %s', (name, words) => {
  expect(() => routed(name, {})).toThrow(words);
});

test('a read-only run gets that reason for a tool that changes something', () => {
  const reading = makeToolSet(builtinTools, findProfile('review'), []);
  expect(reading.absent('search_replace')).toBe(
    'This run only reads, so it has no edit_file. Say in your answer what should be done.',
  );
  expect(reading.absent('handoff')).toBe('This run has no handoff; go on without it.');
  expect([reading.absent('PATCH'), reading.absent('nonsense'), reading.absent('read')]).toEqual([
    null,
    null,
    null,
  ]);
  const call = { type: 'tool_call' as const, id: 'call_1', name: 'bash', input: {} };
  expect(() => routeCall(call, reading)).toThrow(
    /^This run only reads, so it has no bash\. Say in your answer/,
  );
  const handoff = { ...call, name: 'handoff' };
  expect(() => routeCall(handoff, reading)).toThrow(/^This run has no handoff; go on without it\.$/);
  const other = { ...call, name: 'search_replace' };
  expect(() => routeCall(other, reading)).toThrow(
    /^There is no tool "search_replace" here\. This run only reads, so it has no edit_file\./,
  );
});
