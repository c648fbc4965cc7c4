import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskUsage, findFolders, makeScratch } from '../../../src/workspace/setup/setup-folders.ts';
import { put, temporaryFolder } from '../repository.ts';

let base: string;
let places: { tree: string; home: string };
beforeEach(() => {
  base = temporaryFolder('made');
  places = { tree: join(base, 'tree'), home: join(base, 'home') };
});
afterEach(() => rmSync(base, { recursive: true }));

test('folders are found by glob in the tree and by path below the home', async () => {
  const { tree, home } = places;
  put(tree, { 'node_modules/a/node_modules/b': '', 'sub/node_modules/c': '', 'sub/deep/x': '', venv: '' });
  put(home, { '.cache/pip/x': '', '.m2/repository': '', node_modules: '', 'real/x': '' });
  symlinkSync('sub', join(tree, 'link'));
  symlinkSync('real', join(home, 'link'));
  const cache = [
    ...['**/node_modules', 'venv', 'sub/deep', 'link', '~/.cache/pip', '~/.m2/repository', '~/link'],
    ...['~/link/x', '~/none', '~/none/at/all', '~/.cache'],
  ];
  const at = (mountPath: string) => ({
    mountPath,
    folder: mountPath.startsWith('~/') ? join(home, mountPath.slice(2)) : join(tree, mountPath),
  });
  const all = ['node_modules', 'sub/deep', 'sub/node_modules', '~/.cache/pip', '~/.cache'].map(at);
  expect([
    await findFolders(places, cache, 5),
    await findFolders(places, cache, 4),
    await findFolders(places, cache, 60),
    await findFolders(places, [], 60),
  ]).toEqual([
    { folders: all, missed: 0 },
    { folders: all.slice(0, 4), missed: 1 },
    { folders: all, missed: 0 },
    { folders: [], missed: 0 },
  ]);
});

test('writable folders are made only in `node_modules`', async () => {
  const names = ['node_modules', 'sub/node_modules', 'target'];
  put(places.tree, { 'sub/node_modules/.vite': 'a file', 'target/x': '' });
  mkdirSync(join(places.tree, 'node_modules/.cache/kept'), { recursive: true });
  await makeScratch(names.map((mountPath) => ({ mountPath, folder: join(places.tree, mountPath) })));
  expect(names.map((name) => readdirSync(join(places.tree, name), { recursive: true }).sort())).toEqual([
    ['.cache', '.cache/kept', '.vite', '.vite-temp'],
    ['.cache', '.vite', '.vite-temp'],
    ['x'],
  ]);
});

test('the size of folders is the sum of all their blocks', async () => {
  put(base, { 'a/one': 'x'.repeat(300_000), 'b/two': 'x'.repeat(900_000), 'c/three': 'x' });
  const blocks = (name: string) => lstatSync(join(base, name)).blocks * 512;
  const sizes = ['a', 'a/one', 'b', 'b/two'].map(blocks);
  expect([await diskUsage([join(base, 'a'), join(base, 'b')]), await diskUsage([])]).toEqual([
    sizes.reduce((sum, size) => sum + size, 0),
    0,
  ]);
});
