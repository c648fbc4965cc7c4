import { afterEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

async function open() {
  tools = await openTools({});
  await tools.call('workspace.write_file', { path: 'plan/a.md', content: 'one\ntwo\none\n' });
  return tools;
}

test('the report has the line and number of replacements', async () => {
  const { call } = await open();
  const patch = { path: './plan/a.md', old_string: 'two', new_string: 'three' };
  expect([
    await call('workspace.apply_patch', patch),
    await call('workspace.apply_patch', { ...patch, old_string: 'one', new_string: '1', replace_all: true }),
  ]).toEqual([
    {
      content: 'Patched plan/a.md in 1 place:\n1\tone\n2\tthree\n3\tone',
      data: { path: 'plan/a.md', count: 1 },
    },
    {
      content: 'Patched plan/a.md in 2 places:\n1\t1\n2\tthree\n3\t1',
      data: { path: 'plan/a.md', count: 2 },
    },
  ]);
});

test('an emptied file has no line to display', async () => {
  const { call } = await open();
  const input = { path: 'plan/a.md', old_string: 'one\ntwo\none\n', new_string: '' };
  expect((await call('workspace.apply_patch', input)).content).toBe('Patched plan/a.md in 1 place.');
});

test('a missing file, and an ambiguous text, change nothing', async () => {
  const { say } = await open();
  const patch = { old_string: 'one', new_string: '1' };
  expect([
    await say('workspace.apply_patch', { ...patch, path: 'plan/b.md' }),
    await say('workspace.apply_patch', { ...patch, path: 'plan/a.md' }),
    await say('workspace.read_file', { path: 'plan/a.md' }),
  ]).toEqual([
    'not_found: plan/b.md does not exist. Write it with workspace.write_file; workspace.list_files shows what there is.',
    'ambiguous: old_string stands 2 times in plan/a.md, at lines 1, 3. Add the text around it until it is unique, or set replace_all.',
    '1\tone\n2\ttwo\n3\tone',
  ]);
});
