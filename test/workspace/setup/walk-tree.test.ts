import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../../../src/workspace/setup/walk-tree.ts';
import { put } from '../repository.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-walk-'));
});
afterEach(() => rmSync(root, { recursive: true }));

async function walked(most: number) {
  const paths: string[] = [];
  let cuts = 0;
  const onCut = () => {
    cuts += 1;
  };
  for await (const { path } of walkTree(root, () => true, onCut, most)) paths.push(path);
  return { paths, cuts };
}

test('a walk stops after the largest number of entries, and reports that once', async () => {
  put(root, { 'a/1': '', 'a/2': '', 'b/3': '', '.git/x': '', c: '' });
  expect([await walked(7), await walked(6), await walked(4)]).toEqual([
    { paths: ['a', 'b', 'c', 'a/1', 'a/2', 'b/3'], cuts: 0 },
    { paths: ['a', 'b', 'c', 'a/1', 'a/2'], cuts: 1 },
    { paths: ['a', 'b', 'c'], cuts: 1 },
  ]);
});
