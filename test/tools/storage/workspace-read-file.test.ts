import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const mixed =
  'invalid_input: Lines and characters cannot be mixed: give start_line and line_count, or start_char and max_chars.';

test.each<[input: { readonly [key: string]: Json }, said: string]>([
  [{}, '1\tone\n2\ttwo\n3\tthree'],
  [{ start_line: 2 }, '2\ttwo\n3\tthree'],
  [{ line_count: 1 }, '1\tone\n[line 1 of 3]'],
  [{ start_line: 2, line_count: 1 }, '2\ttwo\n[line 2 of 3]'],
  [{ start_char: 9 }, '3\three\n[characters 9-13 of 13]'],
  [{ max_chars: 4 }, '1\tone\n[characters 0-4 of 13; cut by max_chars, continue with start_char 4]'],
  [
    { start_char: 4, max_chars: 2 },
    '2\ttw\n[characters 4-6 of 13; cut by max_chars, continue with start_char 6]',
  ],
  [{ start_line: 1, start_char: 0 }, mixed],
  [{ start_line: 1, max_chars: 1 }, mixed],
  [{ line_count: 1, start_char: 0 }, mixed],
  [{ line_count: 1, max_chars: 1 }, mixed],
])('of a file of three lines %j returns %j', async (input, reply) => {
  tools = await openTools({});
  await tools.call('workspace.write_file', { path: 'plan/a.md', content: 'one\ntwo\nthree' });
  expect(await tools.say('workspace.read_file', { path: 'plan/a.md', ...input })).toBe(reply);
});

test('a folder is distinguished from a file, and the root has a name', async () => {
  tools = await openTools({});
  const { say } = tools;
  expect([
    await say('workspace.read_file', { path: '.' }),
    await say('workspace.read_file', { path: 'plan/' }),
  ]).toEqual([
    'is_directory: . is a folder; workspace.list_files shows what lies in it.',
    'is_directory: plan is a folder; workspace.list_files shows what lies in it.',
  ]);
});
