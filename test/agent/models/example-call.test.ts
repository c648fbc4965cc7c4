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
])('an example corrects %s %s', (name, input, expected) => {
  expect(example(name, input)).toBe(lead + expected);
});

it('without a recognised tool the example names the first; without tools it describes a call', () => {
  expect(example('TOOL', 'x', tools.slice(0, 1))).toBe(`${lead}{"name": "glob", "args": {}}`);
  expect(example('TOOL', 'x', [])).toBe(`${lead}{"name": "NAME", "args": {}}`);
});

it("an example uses the tool's name for commands", () => {
  expect(example('bash', '{"command": "ls')).toBe(
    'Start a line with BASH: and write the whole command behind it.',
  );
});
