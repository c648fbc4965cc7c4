import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConfinedFiles } from '../../src/workspace/create-confined-files.ts';
import { type SteeringTree, steeringAt, steeringIn } from '../../src/workspace/steering-tree.ts';
import { git, put, repository, temporaryFolder } from './repository.ts';

let base: string;
let root: string;
let trees: Record<'commit' | 'checkout', SteeringTree>;

beforeAll(() => {
  base = temporaryFolder('steering');
  root = path.join(base, 'tree');
  put(base, { 'secret.md': 'not for models' });
  repository(root, {
    'AGENTS.md': 'Be brief.\n',
    'rules/a.md': 'A',
    'rules/deep/b.md': 'BB',
    'rules/deep/er/c.md': 'CCC',
    'rules/large.md': Buffer.alloc(256 * 1024 + 1, 'x'),
  });
  symlinkSync('../AGENTS.md', path.join(root, 'rules/link.md'));
  symlinkSync('../../secret.md', path.join(root, 'rules/out.md'));
  symlinkSync('rules', path.join(root, 'same'));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Links');
  const place = { cwd: root, gitDirectory: path.join(root, '.git') };
  trees = {
    commit: steeringAt(place, git(root, 'rev-parse', 'HEAD')),
    checkout: steeringIn(createConfinedFiles({ root, readOnlyRoots: [] })),
  };
});
afterAll(() => rmSync(base, { recursive: true }));

test.each([
  'commit',
  'checkout',
] as const)('the %s lists regular files to a depth, and follows no link', async (kind) => {
  const tree = trees[kind];
  expect(await tree.below('rules', 2, 10)).toEqual([
    { path: 'rules/a.md', size: 1, executable: false },
    { path: 'rules/deep/b.md', size: 2, executable: false },
    { path: 'rules/large.md', size: 256 * 1024 + 1, executable: false },
  ]);
  expect((await tree.below('rules', 3, 2)).length).toBe(2);
  expect((await tree.below('', 1, 10)).map((file) => file.path)).toEqual(['AGENTS.md']);
  expect(await tree.below('same', 2, 10)).toEqual([]);
  expect(await tree.below('nowhere', 2, 10)).toEqual([]);
});

test.each([
  'commit',
  'checkout',
] as const)('the %s gives the contents of regular files of a bounded size, and of nothing else', async (kind) => {
  const wanted = [
    'AGENTS.md',
    'rules',
    'rules/link.md',
    'rules/out.md',
    'rules/large.md',
    '../secret.md',
    'rules/a.md',
  ];
  expect([...(await trees[kind].read(wanted))].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
    ['AGENTS.md', 'Be brief.\n'],
    ['rules/a.md', 'A'],
  ]);
});

test('a commit stays what it was, and a checkout is what it is now', async () => {
  put(root, { 'AGENTS.md': 'Ship it.\n' });
  mkdirSync(path.join(root, 'rules/new'));
  const texts = async (tree: SteeringTree) => (await tree.read(['AGENTS.md'])).get('AGENTS.md')?.toString();
  expect([await texts(trees.commit), await texts(trees.checkout)]).toEqual(['Be brief.\n', 'Ship it.\n']);
});
