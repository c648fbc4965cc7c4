import { expect, test } from 'vitest';
import { searchFiles } from '../../../src/tools/storage/search-files.ts';
import { replaceExactly } from '../../../src/tools/storage/workspace-apply-patch.ts';
import { listTree, renderTree } from '../../../src/tools/storage/workspace-list-files.ts';
import { readCharacters } from '../../../src/tools/storage/workspace-read-file.ts';
import { filesBelow } from '../../../src/tools/storage/workspace-search-files.ts';

const signal = new AbortController().signal;

/** Files as tools see them, by path; a link has no text. */
function filesOf(given: Readonly<Record<string, string | null>>) {
  const read = async (path: string) => ({ bytes: Buffer.from(given[path] ?? '') });
  const below = (folder: string) =>
    Object.keys(given)
      .filter((path) => folder === '' || path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder === '' ? 0 : folder.length + 1));
  const stat = async (path: string) => {
    if (path in given) return { kind: given[path] === null ? 'symlink' : 'file', size: given[path]?.length };
    return path === '' || below(path).length > 0 ? { kind: 'directory' } : null;
  };
  const list = async (folder: string) => {
    const names = new Map(below(folder).map((path) => [path.split('/')[0] ?? '', path]));
    return [...names].map(([name, path]) => ({
      name,
      kind: path.includes('/')
        ? 'directory'
        : given[folder === '' ? path : `${folder}/${path}`] === null
          ? 'symlink'
          : 'file',
    }));
  };
  return { read, stat, list } as never;
}

test('lines with a text are found with their context, up to a limit, and all are counted', async () => {
  const files = filesOf({
    'a.md': 'zero\nOne here\ntwo\nthree\nfour\nAND ONE\n',
    'b.bin': 'one\0',
    'c.md': 'a one one',
  });
  const search = (limit: number, context: number, text = 'one') =>
    searchFiles(files, ['a.md', 'b.bin', 'c.md'], { text, limit, context }, signal);
  const line = (path: string, number: number, text: string, match: boolean) => ({
    path,
    line: number,
    text,
    match,
  });
  const first = line('a.md', 2, 'One here', true);
  const second = line('a.md', 6, 'AND ONE', true);
  const third = line('c.md', 1, 'a one one', true);
  expect([await search(9, 0), await search(2, 0), await search(1, 1), await search(9, 2)]).toEqual([
    { lines: [first, second, third], shown: 3, total: 3 },
    { lines: [first, second], shown: 2, total: 3 },
    { lines: [line('a.md', 1, 'zero', false), first, line('a.md', 3, 'two', false)], shown: 1, total: 3 },
    {
      lines: [
        ...[line('a.md', 1, 'zero', false), first, line('a.md', 3, 'two', false)],
        ...[line('a.md', 4, 'three', false), line('a.md', 5, 'four', false), second, third],
      ],
      shown: 3,
      total: 3,
    },
  ]);
  expect(await search(9, 0, 'o.e')).toEqual({ lines: [], shown: 0, total: 0 });
});

test('a long line is displayed around the match', async () => {
  const text = `${'x'.repeat(5_000)}one${'y'.repeat(5_000)}`;
  const { lines } = await searchFiles(
    filesOf({ a: text }),
    ['a'],
    { text: 'one', limit: 1, context: 0 },
    signal,
  );
  expect(lines.map((line) => [line.text.includes('one'), line.text.length < 3_000])).toEqual([[true, true]]);
});

test('an abort ends the search', async () => {
  const stop = AbortSignal.abort(new Error('over'));
  const search = searchFiles(filesOf({ a: 'x' }), ['a'], { text: 'x', limit: 1, context: 0 }, stop);
  await expect(search).rejects.toThrow('over');
});

const tree = { 'b/c/d.md': 'four', 'b/a.md': '1', 'a.md': '', 'z/link': null, 'b/c/e.md': 'x' };

test('every file at or below a path is listed, except links', async () => {
  const files = filesOf(tree);
  expect([
    await filesBelow(files, ''),
    await filesBelow(files, 'b/c'),
    await filesBelow(files, 'a.md'),
    await filesBelow(files, 'z'),
  ]).toEqual([['a.md', 'b/a.md', 'b/c/d.md', 'b/c/e.md'], ['b/c/d.md', 'b/c/e.md'], ['a.md'], []]);
  await expect(filesBelow(files, 'no')).rejects.toThrow(
    'no does not exist. workspace.list_files shows what there is.',
  );
});

test('a tree is listed to a depth, with the number of deeper entries', async () => {
  const files = filesOf(tree);
  const at = async (folder: string, depth: number) => renderTree(await listTree(files, folder, depth));
  expect([await at('', 1), await at('', 2), await at('b', 2), await at('z', 1)]).toEqual([
    'b/  (2 entries)\na.md  0 bytes\nz/  (1 entry)',
    'b/\nb/c/  (2 entries)\nb/a.md  1 byte\na.md  0 bytes\nz/',
    'b/c/\nb/c/d.md  4 bytes\nb/c/e.md  1 byte\nb/a.md  1 byte',
    '',
  ]);
});

/** A part of a text by characters, and what was remembered as read. */
async function characters(text: string, start: number, count: number) {
  const seen: unknown[] = [];
  const space = { files: filesOf({ a: text }), memory: { saw: (...one: unknown[]) => seen.push(one) } };
  const read = await readCharacters(space as never, 'a', start, count);
  expect(seen).toEqual([['a', Buffer.from(text)]]);
  return [read.text, read.data.end_char];
}

test('a text is read by characters, with line numbers, without cutting a character in half', async () => {
  expect([
    await characters('one\ntwo\n', 0, 8),
    await characters('one\ntwo\n', 0, 4),
    await characters('one\ntwo\n', 4, 2),
    await characters('one\ntwo\n', 8, 2),
    await characters('a😀b', 0, 2),
    await characters('a😀b', 0, 1),
    await characters('a😀', 0, 3),
    await characters('', 0, 3),
  ]).toEqual([
    ['1\tone\n2\ttwo', 8],
    ['1\tone\n[characters 0-4 of 8; cut by max_chars, continue with start_char 4]', 4],
    ['2\ttw\n[characters 4-6 of 8; cut by max_chars, continue with start_char 6]', 6],
    ['3\t\n[characters 8-8 of 8]', 8],
    ['1\ta😀\n[characters 0-3 of 4; cut by max_chars, continue with start_char 3]', 3],
    ['1\ta\n[characters 0-1 of 4; cut by max_chars, continue with start_char 1]', 1],
    ['1\ta😀', 3],
    ['(the file is empty)', 0],
  ]);
});

test('a unique text is replaced; of several matches at most ten lines are named', () => {
  const replace = (text: string, old: string, all = false) =>
    replaceExactly('a', text, { old, new: 'N', all });
  expect([replace('x\ny', 'y'), replace('x\nx', 'x', true)]).toEqual([
    { text: 'x\nN', count: 1 },
    { text: 'N\nN', count: 2 },
  ]);
  const advice = 'Add the text around it until it is unique, or set replace_all.';
  const ambiguous = (count: number) => () => replace('x\n'.repeat(count), 'x\n');
  expect(ambiguous(2)).toThrow(`old_string stands 2 times in a, at lines 1, 2. ${advice}`);
  const ten = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10';
  expect(ambiguous(10)).toThrow(`old_string stands 10 times in a, at lines ${ten}. ${advice}`);
  expect(ambiguous(11)).toThrow(`old_string stands 11 times in a, at lines ${ten}, …. ${advice}`);
  expect(() => replace('a\nx\nb x', 'x')).toThrow('at lines 2, 3.');
  expect(() => replace('one thing\n', 'one thong')).toThrow(
    'old_string does not stand in a; it must match exactly, without line numbers. The nearest lines are:\n1\tone thing\nRead the file with workspace.read_file and copy the text as it is.',
  );
  expect(() => replace('one\n', 'zzzz')).toThrow(
    'old_string does not stand in a; it must match exactly, without line numbers. Read the file with workspace.read_file and copy the text as it is.',
  );
});
