import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layOver } from '../../src/evals/trial-tree.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-tree-'));
  for (const name of ['tests/below', 'tree', 'outside'])
    await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, 'tests/below/one.mjs'), 'check');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lay = () => {
  const source = { folder: path.join(folder, 'tests'), includes: () => true };
  return layOver(source, ['below/one.mjs'], path.join(folder, 'tree'));
};
const laid = () => readFile(path.join(folder, 'tree/below/one.mjs'), 'utf8');

test('follows no link of the tree out of it', async () => {
  await symlink(path.join(folder, 'outside'), path.join(folder, 'tree/below'));
  await lay();
  expect([await laid(), await readdir(path.join(folder, 'outside'))]).toEqual(['check', []]);
});

test('replaces a link, a folder or a file in the place of a file or of its folder', async () => {
  await mkdir(path.join(folder, 'tree/below'));
  await writeFile(path.join(folder, 'outside/kept'), 'kept');
  await symlink(path.join(folder, 'outside/kept'), path.join(folder, 'tree/below/one.mjs'));
  await lay();
  expect([await laid(), await readFile(path.join(folder, 'outside/kept'), 'utf8')]).toEqual([
    'check',
    'kept',
  ]);
  await rm(path.join(folder, 'tree/below'), { recursive: true });
  await mkdir(path.join(folder, 'tree/below/one.mjs/deep'), { recursive: true });
  await lay();
  await rm(path.join(folder, 'tree/below'), { recursive: true });
  await writeFile(path.join(folder, 'tree/below'), 'a file');
  await lay();
  expect(await laid()).toBe('check');
});
