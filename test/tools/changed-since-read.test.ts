import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

const changed = 'changed_since_read: a.txt changed since it was last read. Read it again first.';

/** One call of each tool that changes a file which is there. */
const calls: [string, { [key: string]: Json }][] = [
  ['edit_file', { path: 'a.txt', old_str: 'one', new_str: '1' }],
  ['edit_file', { path: 'a.txt', unified_diff: '@@ -1 +1 @@\n-one\n+1\n' }],
  ['multi_edit', { path: 'a.txt', edits: [{ old: 'one', new: '1' }] }],
  ['insert_text', { path: 'a.txt', line: 1, text: '1' }],
  ['create_file', { path: 'a.txt', content: '1\n', overwrite: true }],
  ['apply_patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n' }],
];

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({ 'a.txt': 'one\n' });
});
afterEach(() => tools.close());

test.each(calls)('%s %j refuses a file that another run changed since it was read', async (name, input) => {
  await tools.call('read', { path: './a.txt' });
  tools.write('a.txt', 'one\ntwo\n');
  expect(await tools.say(name, input)).toBe(changed);
  expect(tools.tree()['a.txt']).toBe('one\ntwo\n');
  await tools.call('read', { path: 'a.txt' });
  expect(await tools.say(name, input)).not.toContain('changed_since_read');
  expect(tools.tree()['a.txt']).toContain('1\n');
});

test.each(
  calls,
)('%s %j accepts a file that was never read, and one that is unchanged', async (name, input) => {
  const other = await openTools({ 'a.txt': 'one\n' });
  await other.call(name, input);
  await tools.call('read', { path: 'a.txt' });
  tools.write('a.txt', 'one\n');
  await tools.call(name, input);
  expect(tools.tree()).toEqual(other.tree());
  await other.close();
});

test('a file changed by our own tools and commands can be edited by its text without reading it again', async () => {
  await tools.call('read', { path: 'a.txt' });
  await tools.call('edit_file', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  await tools.call('insert_text', { path: 'a.txt', line: 0, text: 'zero' });
  await tools.call('bash', { command: 'echo three >> a.txt' });
  await tools.call('edit_file', { path: 'a.txt', old_str: 'two', new_str: '2' });
  expect(tools.tree()['a.txt']).toBe('zero\n2\nthree\n');
});

test('a file changed by our own command must be read again before edits by line or of the whole', async () => {
  await tools.call('read', { path: 'a.txt' });
  await tools.call('bash', { command: 'echo three >> a.txt' });
  const inserted = await tools.say('insert_text', { path: 'a.txt', line: 0, text: 'zero' });
  const replaced = await tools.say('create_file', { path: 'a.txt', content: '1', overwrite: true });
  expect([inserted, replaced, tools.tree()['a.txt']]).toEqual([changed, changed, 'one\nthree\n']);
});

test('a file that another run changed after our own command must be read again', async () => {
  await tools.call('read', { path: 'a.txt' });
  await tools.call('bash', { command: 'echo three >> a.txt' });
  tools.write('a.txt', 'one\nfour\n');
  expect(await tools.say('edit_file', { path: 'a.txt', old_str: 'one', new_str: '1' })).toBe(changed);
});

test('a moved or removed file can be created again', async () => {
  await tools.call('read', { path: 'a.txt' });
  await tools.call('bash', { command: 'mv a.txt b.txt' });
  expect(await tools.say('edit_file', { path: 'a.txt', old_str: 'one', new_str: '1' })).toBe(
    'not_found: a.txt does not exist. Near it: b.txt.',
  );
  const add = { patch: '*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch' };
  await tools.call('apply_patch', add);
  await tools.call('edit_file', { path: 'b.txt', old_str: 'one', new_str: '1' });
  await tools.call('apply_patch', {
    patch: '*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-1\n+2\n*** End Patch',
  });
  await tools.call('edit_file', { path: 'c.txt', old_str: '2', new_str: '3' });
  await tools.call('create_file', { path: 'b.txt', content: 'b\n' });
  await tools.call('apply_patch', { patch: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch' });
  await tools.call('apply_patch', add);
  expect(tools.tree()).toEqual({ 'a.txt': 'new\n', 'b.txt': 'b\n', 'c.txt': '3\n' });
});

test('a file that was only read at its beginning counts as not read', async () => {
  tools.write('big.txt', `one\n${'long line\n'.repeat(300_000)}`);
  await tools.call('read', { path: 'big.txt' });
  await tools.call('edit_file', { path: 'big.txt', old_str: 'one\n', new_str: '1\n' });
  expect(tools.tree()['big.txt']?.slice(0, 6)).toBe('1\nlong');
});
