import { expect, it } from 'vitest';
import { exampleCall } from '../../../src/agent/models/text-protocol.ts';

const advert = (name: string, required: string[]) => ({
  name,
  description: name,
  input_schema: { type: 'object', properties: {}, required },
});
const tools = [advert('glob', []), advert('edit_file', ['path', 'edits']), advert('read', ['path'])];
const example = (name: string, input: string, from = tools) =>
  exampleCall({ type: 'tool_call', id: 'call', name, input }, from);
const lead = 'Write a call on one line, as valid JSON: TOOL: ';

it.each([
  ['TOOL', 'read("lib/view.js")', '{"name": "read", "args": {"path": "lib/view.js"}}'],
  ['TOOL', "edit_file('a', [])", '{"name": "edit_file", "args": {"path": "a", "edits": "…"}}'],
  ['TOOL', 'look at it', '{"name": "read", "args": {"path": "…"}}'],
  ['edit_file', '{"path": "a', '{"name": "edit_file", "args": {"path": "…", "edits": "…"}}'],
])('writes %s %s as it should have been', (name, input, expected) => {
  expect(example(name, input)).toBe(lead + expected);
});

it('takes the first tool where none is meant, and says what a call is where there is none', () => {
  expect(example('TOOL', 'x', tools.slice(0, 1))).toBe(`${lead}{"name": "glob", "args": {}}`);
  expect(example('TOOL', 'x', [])).toBe(`${lead}{"name": "NAME", "args": {}}`);
});

it('names the word for commands', () => {
  expect(example('bash', '{"command": "ls')).toBe(
    'Start a line with BASH: and write the whole command behind it.',
  );
});
