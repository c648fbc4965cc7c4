import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forkPoint, limitDiff } from '../../../src/workspace/git/diff-between.ts';
import { diffTrees } from '../../../src/workspace/git/tree-diff.ts';
import { repositoryOf } from '../../checks/diff-fixture.ts';
import { git as run } from '../repository.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const lines = (word: string) => Array.from({ length: 20 }, (_, line) => `${word} ${line}\n`).join('');

test('files in other encodings have binary patches, even if renamed, and other files text', async () => {
  const { git, commits } = repositoryOf(
    {
      'a/ä': 'one\n',
      from: latin(`caf\xe9\n${lines('x')}`),
      latin: latin('th\xe9\n'),
      bin: Buffer.from([0, 1]),
    },
    {
      'a/ä': 'zwö\n',
      from: null,
      to: latin(`caf\xe9s\n${lines('x')}`),
      latin: latin('th\xe9s\n'),
      bin: Buffer.from([0, 2]),
    },
  );
  const [first = '', second = ''] = commits;
  const { changes, patches, patch } = await diffTrees(git, first, second);
  expect(changes.map(({ kind, path: file, oldPath }) => [kind, file, oldPath])).toEqual([
    ['modify', 'a/ä', null],
    ['modify', 'bin', null],
    ['modify', 'latin', null],
    ['rename', 'to', 'from'],
  ]);
  const kinds = patches.map((one) =>
    one.split('\n').filter((line) => /^(diff|rename|GIT|[-+][^-+])/.test(line)),
  );
  expect(kinds).toEqual([
    ['diff --git "a/a/\\303\\244" "b/a/\\303\\244"', '-one', '+zwö'],
    ['diff --git a/bin b/bin', 'GIT binary patch'],
    ['diff --git a/latin b/latin', 'GIT binary patch'],
    ['diff --git a/from b/to', 'rename from from', 'rename to to', 'GIT binary patch'],
  ]);
  expect([patch, readFileSync(path.join(git.gitDirectory, 'info/attributes'), 'utf8')]).toEqual([
    patches.join(''),
    '* !diff\n',
  ]);
});

test('attributes of a tree are ignored, and equal trees give no diff', async () => {
  const { git, commits } = repositoryOf({ '.gitattributes': '* -diff\n', a: 'one\n' }, { a: 'two\n' });
  const [first = '', second = ''] = commits;
  const attributes = path.join(git.gitDirectory, 'info/attributes');
  expect(await diffTrees(git, first, first)).toEqual({ changes: [], patches: [], patch: '' });
  expect(() => readFileSync(attributes)).toThrow('ENOENT');
  rmSync(path.dirname(attributes), { recursive: true });
  const { patch } = await diffTrees(git, first, second);
  const names = run(git.cwd, 'rev-parse', `${first}:a`, `${second}:a`).split('\n');
  expect(patch).toBe(
    `diff --git a/a b/a\nindex ${names[0]}..${names[1]} 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n`,
  );
});

test('the fork point is the merge base, or the base itself for unrelated commits', async () => {
  const { root, git, commits } = repositoryOf({ a: 'one\n' }, { a: 'two\n' });
  const [first = '', second = ''] = commits;
  const tree = run(root, 'rev-parse', 'HEAD^{tree}');
  const [side, stranger] = [
    run(root, 'commit-tree', tree, '-p', first, '-m', 'x'),
    run(root, 'commit-tree', tree, '-m', 'x'),
  ];
  expect([await forkPoint(git, second, side), await forkPoint(git, second, stranger)]).toEqual([
    first,
    second,
  ]);
});

const file = (name: string) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-@@ diff --git\n+${name}\n`;
const files = ['one', 'second', 'the-third'].map(file);
const whole = Buffer.from(files.join(''));
const starts = files.map((_, index) => files.slice(0, index).join('').length);

test.each([
  1, 7, 64, 1000,
])('each file that starts within the limit is complete, in pieces of %i bytes', (size) => {
  const cut = (most: number) => {
    const room = limitDiff(most);
    for (let at = 0; at < whole.length; at += size) room.take(whole.subarray(at, at + size));
    return room.text();
  };
  const expected = (most: number) =>
    files.map((one, index) => ((starts[index] ?? 0) <= most ? one : one.split('@@')[0])).join('');
  const rooms = Array.from({ length: whole.length + 2 }, (_, most) => most);
  expect(rooms.filter((most) => cut(most) !== expected(most))).toEqual([]);
});

test('an unfinished last line is included unless its file is omitted', () => {
  const cut = (most: number, text: string) => {
    const room = limitDiff(most);
    room.take(Buffer.from(text));
    return room.text();
  };
  expect([
    cut(1000, 'diff --git a/a b/a\n+x'),
    cut(0, 'diff --git a/a b/a\nBinary files differ'),
    cut(0, 'diff --git a/a b/a\ndiff --git a/b b/b\nBinary files differ'),
    cut(0, 'diff --git a/a b/a\ndiff --git a/b b/b\n@@ -1 +1 @@\n-x\n+y'),
  ]).toEqual([
    'diff --git a/a b/a\n+x',
    'diff --git a/a b/a\nBinary files differ',
    'diff --git a/a b/a\ndiff --git a/b b/b\nBinary files differ',
    'diff --git a/a b/a\ndiff --git a/b b/b\n',
  ]);
});

test('all patches are binary and without renames if a text diff takes too long', async () => {
  const { git, commits } = repositoryOf(
    { from: lines('x'), a: 'one\n' },
    { from: null, to: lines('x'), a: 'two\n' },
  );
  const [first = '', second = ''] = commits;
  const { changes, patches, patch } = await diffTrees(git, first, second, 0);
  const kinds = patches.map((one) => one.split('\n').filter((line) => /^(diff|GIT|new|deleted)/.test(line)));
  expect([changes.map(({ kind, path: file }) => [kind, file]), kinds, patches.join('') === patch]).toEqual([
    [
      ['modify', 'a'],
      ['delete', 'from'],
      ['add', 'to'],
    ],
    [
      ['diff --git a/a b/a', 'GIT binary patch'],
      ['diff --git a/from b/from', 'deleted file mode 100644', 'GIT binary patch'],
      ['diff --git a/to b/to', 'new file mode 100644', 'GIT binary patch'],
    ],
    true,
  ]);
});
