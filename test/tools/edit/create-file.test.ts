import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({
    'src/main.ts': 'one\ntwo\n',
    'crlf.txt': '\ufeffone\r\ntwo\r\n',
    'link.ts': { symlink: 'src/main.ts' },
    nowhere: { symlink: 'missing.txt' },
    folder: { symlink: 'src' },
  });
});
afterEach(() => tools.close());

test('create_file writes a new file with its folders', async () => {
  expect(await tools.call('create_file', { path: 'deep/er/new.ts', content: 'a\nb\n' })).toEqual({
    content: 'Created deep/er/new.ts (2 lines).',
    data: { path: 'deep/er/new.ts', lines: 2, changes: [{ path: 'deep/er/new.ts', kind: 'add' }] },
  });
  expect(tools.tree()['deep/er/new.ts']).toBe('a\nb\n');
  expect(statSync(path.join(tools.root, 'deep/er/new.ts')).mode & 0o777).toBe(0o644);
});

test('an empty file can be created', async () => {
  expect(await tools.say('create_file', { path: 'empty', content: '' })).toBe('Created empty (0 lines).');
  expect(tools.tree().empty).toBe('');
});

test('create_file overwrites only if its argument permits it, write_file always', async () => {
  expect(await tools.say('create_file', { path: 'src/main.ts', content: 'x' })).toBe(
    'file_exists: src/main.ts exists already. Change it with edit_file, or set overwrite to replace all of it.',
  );
  expect(await tools.say('write_file', { file_path: 'src/main.ts', content: 'x\n' })).toBe(
    'Overwrote src/main.ts (1 line).',
  );
  expect(tools.tree()['src/main.ts']).toBe('x\n');
});

test('a file keeps its mode when it is overwritten', async () => {
  chmodSync(path.join(tools.root, 'src/main.ts'), 0o755);
  await tools.call('Write', { file_path: 'src/main.ts', content: 'x\n' });
  expect(statSync(path.join(tools.root, 'src/main.ts')).mode & 0o777).toBe(0o755);
});

test('parts of a file that the reader does not see survive an overwrite', async () => {
  expect(await tools.say('write_file', { path: 'crlf.txt', content: 'a\nb\n' })).toBe(
    'Overwrote crlf.txt (2 lines, byte order mark kept, CRLF line endings kept).',
  );
  expect(tools.tree()['crlf.txt']).toBe(Buffer.from('\ufeffa\r\nb\r\n').toString('latin1'));
});

test('given line endings are written unchanged', async () => {
  await tools.call('write_file', { path: 'crlf.txt', content: 'a\r\nb\n' });
  expect(tools.tree()['crlf.txt']).toBe(Buffer.from('\ufeffa\r\nb\n').toString('latin1'));
  await tools.call('write_file', { path: 'src/main.ts', content: 'a\r\nb\r\n' });
  expect(tools.tree()['src/main.ts']).toBe('a\r\nb\r\n');
});

test('writing the existing content is no change', async () => {
  expect(await tools.call('write_file', { path: 'src/main.ts', content: 'one\ntwo\n' })).toEqual({
    content: 'src/main.ts has this content already; nothing changed.',
    data: { path: 'src/main.ts', lines: 2, changes: [] },
  });
  expect(tools.entries).toEqual([]);
});

test('a line that only stands for the code it would delete is refused', async () => {
  const content = 'zero\n// ... rest of the code\n';
  expect(await tools.say('write_file', { path: 'src/main.ts', content })).toBe(
    'invalid_input: The new text of src/main.ts has the line "// ... rest of the code" in place of code, which would be written literally. Give all the lines, or change less.',
  );
  expect(await tools.say('create_file', { path: 'new.ts', content })).toBe('Created new.ts (2 lines).');
});

test.each([
  ['src', 'is_directory: src is a directory; give the path of a file.'],
  ['.', 'is_directory: . is a directory; give the path of a file.'],
  ['new/', 'invalid_input: new/ names a folder; give the path of a file in it.'],
  ['link.ts', 'not_a_file: link.ts is a symbolic link; change the file it points to.'],
  ['nowhere', 'not_a_file: nowhere is a symbolic link; change the file it points to.'],
  ['pipe', 'not_a_file: pipe is not a regular file.'],
  ['folder/x.ts', 'symlink: folder/x.ts goes through a link. Write to src/x.ts instead.'],
])('%s is not written, with or without overwrite', async (name, words) => {
  execFileSync('mkfifo', [path.join(tools.root, 'pipe')]);
  expect(await tools.say('create_file', { path: name, content: 'x' })).toBe(words);
  expect(await tools.say('write_file', { path: name, content: 'x' })).toBe(words);
});

test.each([
  '../out.txt',
  '/etc/motd',
  '.git/hooks/pre-commit',
  'src/main.ts/x',
])('create_file does not write %s', async (name) => {
  await expect(tools.call('create_file', { path: name, content: 'x' })).rejects.toMatchObject({
    name: 'ToolError',
  });
});

test('a file that a tool has written can be edited without reading it', async () => {
  await tools.call('create_file', { path: 'new.txt', content: 'one\n' });
  await tools.call('edit_file', { path: 'new.txt', old_str: 'one', new_str: 'two' });
  expect(tools.tree()['new.txt']).toBe('two\n');
});
