import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sameNamed } from '../../../src/workspace/files/explain-error.ts';
import { put, temporaryFolder } from '../repository.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('named');
});
afterEach(() => rmSync(root, { recursive: true }));

const empty = (names: readonly string[]) => put(root, Object.fromEntries(names.map((name) => [name, ''])));

test('paths in the start folder come first, then those with most shared folders, then shallow ones', () => {
  empty(['a/x', 'b/a/x', 'b/x', 'b2/x', 'c/d/e/x', 'c/y', 'only/deep/z', 'folder/z/in', 'one/in']);
  expect(
    (
      [
        ...[
          ['a/x', ''],
          ['q/a/x', ''],
          ['b/a/x', ''],
          ['e/x', ''],
          ['x', ''],
        ],
        ...[
          ['x', 'b'],
          ['a/x', 'c'],
          ['x', 'none'],
          ['z', ''],
          ['in', 'one'],
          ['nothing', 'b'],
        ],
        ...[['', '']],
      ] as [string, string][]
    ).map(([wanted, start]) => sameNamed(root, wanted, start)),
  ).toEqual([
    ['b/a/x', 'b/x', 'b2/x'],
    ['a/x', 'b/a/x', 'b/x'],
    ['a/x', 'b/x', 'b2/x'],
    ['c/d/e/x', 'a/x', 'b/x'],
    ['a/x', 'b/x', 'b2/x'],
    ['b/x', 'b/a/x', 'a/x'],
    ['c/d/e/x', 'b/a/x', 'b/x'],
    ['a/x', 'b/x', 'b2/x'],
    ['folder/z', 'only/deep/z'],
    ['one/in', 'folder/z/in'],
    [],
    [],
  ]);
});

test('follows no link and skips installed packages, build output and git folders', () => {
  const foreign = ['node_modules', '.venv', 'venv', '__pycache__', 'dist', 'build', 'target', 'vendor'];
  empty([...foreign, '.git', '.GIT'].map((folder) => `sub/${folder}/x`));
  empty(['own/y']);
  symlinkSync('own', path.join(root, 'link'));
  symlinkSync('nowhere', path.join(root, 'own/x'));
  expect([
    sameNamed(root, 'x', ''),
    sameNamed(root, 'y', ''),
    sameNamed(root, 'deep/dist', ''),
    sameNamed(root, 'deep/.git', ''),
  ]).toEqual([['own/x'], ['own/y'], ['sub/dist'], []]);
});

test('skips a folder with more than 2,000 entries', () => {
  empty(['full/x']);
  for (let index = 1; index < 2_000; index += 1) writeFileSync(path.join(root, 'full', `${index}`), '');
  const seen = [sameNamed(root, 'x', '')];
  empty(['full/more']);
  expect([...seen, sameNamed(root, 'x', '')]).toEqual([['full/x'], []]);
});

test('searches at most 200 folders, including the root', () => {
  const names = Array.from({ length: 200 }, (_, index) => `d${1_000 + index}`);
  empty([`${names[198]}/x`, `${names[199]}/x`, `${names[199]}/y`]);
  for (const name of names) mkdirSync(path.join(root, name), { recursive: true });
  expect([sameNamed(root, 'x', ''), sameNamed(root, 'y', ''), sameNamed(root, 'y', 'd1199')]).toEqual([
    ['d1198/x'],
    [],
    ['d1199/y'],
  ]);
});
