import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findGit, isSha, readHead } from '../../../src/workspace/git/git-layout.ts';

const one = '1'.repeat(40);
const two = '2'.repeat(64);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-layout-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const at = (path: string) => join(root, path);

test('a plain clone has everything in `.git`', () => {
  put('.git/HEAD', 'ref: refs/heads/main\n');
  expect(findGit(root)).toEqual({ directory: at('.git'), common: at('.git') });
});

test('a linked work tree has its own git directory and a shared one', () => {
  put('.git', 'gitdir: main/.git/worktrees/a\n');
  put('main/.git/worktrees/a/HEAD', one);
  put('main/.git/worktrees/a/commondir', '../..\n');
  expect(findGit(root)).toEqual({ directory: at('main/.git/worktrees/a'), common: at('main/.git') });
});

test('any other folder is not a repository', () => {
  const without = findGit(root);
  put('file', '');
  const below = findGit(join(root, 'file'));
  put('.git/config', '');
  const empty = findGit(root);
  rmSync(at('.git'), { recursive: true });
  put('.git', 'directory: x\n');
  expect([without, below, empty, findGit(root)]).toEqual([null, null, null, null]);
});

test('HEAD names a branch, whose commit is in its own, a shared or a packed file', () => {
  const layout = { directory: at('own'), common: at('common') };
  put('own/HEAD', 'ref: refs/heads/main\n');
  const before = readHead(layout);
  put('common/packed-refs', `# pack-refs\n${one} refs/heads/main-2\n${two} refs/heads/main\n`);
  const packed = readHead(layout);
  put('common/refs/heads/main', `${one}\n`);
  const shared = readHead(layout);
  put('own/refs/heads/main', `${two}\n`);
  const own = readHead(layout);
  put('own/refs/heads/main', 'nothing\n');
  const ref = 'refs/heads/main';
  expect([before, packed, shared, own, readHead(layout)]).toEqual([
    { ref, sha: null },
    { ref, sha: two },
    { ref, sha: one },
    { ref, sha: two },
    { ref, sha: two },
  ]);
});

test('a HEAD without a branch is a commit or nothing', () => {
  const layout = { directory: at('own'), common: at('own') };
  const missing = readHead(layout);
  put('own/HEAD', `${one}\n`);
  const detached = readHead(layout);
  put('own/HEAD', 'main\n');
  expect([missing, detached, readHead(layout)]).toEqual([
    { ref: null, sha: null },
    { ref: null, sha: one },
    { ref: null, sha: null },
  ]);
});

test('an object name has 40 or 64 hexadecimal digits', () => {
  const names = [
    one,
    two,
    'abcdef0123'.repeat(4),
    one.slice(1),
    `${one}1`,
    `${two}2`,
    'g'.repeat(40),
    `${one}\n`,
  ];
  expect(names.map(isSha)).toEqual([true, true, true, false, false, false, false, false]);
});
