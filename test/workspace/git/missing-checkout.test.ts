import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { missingCheckout } from '../../../src/workspace/git/missing-checkout.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('missing');
});
afterEach(() => rmSync(base, { recursive: true }));

const folder = (name: string, files: Readonly<Record<string, string>>, ...folders: readonly string[]) => {
  const root = path.join(base, name);
  mkdirSync(root);
  for (const one of folders) mkdirSync(path.join(root, one));
  put(root, { ...files });
  return missingCheckout(root);
};

test('a checkout is missing if there is no git work tree', () => {
  repository(path.join(base, 'tree'), { 'a/b': '' });
  git(base, 'init', '-q', '--bare', 'bare');
  expect([
    missingCheckout(path.join(base, 'tree')),
    missingCheckout(path.join(base, 'tree/a')),
    missingCheckout(path.join(base, 'bare')),
  ]).toEqual([null, 'no repository', 'bare']);
});

test('a bare repository has a HEAD, objects and refs', () => {
  expect([
    folder('empty', {}),
    folder('files', { a: '' }),
    folder('whole', { HEAD: '' }, 'objects', 'refs'),
    folder('no head', {}, 'objects', 'refs'),
    folder('no refs', { HEAD: '' }, 'objects'),
    folder('no objects', { HEAD: '' }, 'refs'),
    folder('a folder as head', {}, 'HEAD', 'objects', 'refs'),
    folder('a file as objects', { HEAD: '', objects: '' }, 'refs'),
  ]).toEqual(['empty', 'no repository', 'bare', ...Array.from({ length: 5 }, () => 'no repository')]);
});
