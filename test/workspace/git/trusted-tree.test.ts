import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { createConfinedFiles } from '../../../src/workspace/files/create-confined-files.ts';
import { type TrustedTree, trustedTreeAt, trustedTreeIn } from '../../../src/workspace/git/trusted-tree.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

let base: string;
let root: string;
let trees: Record<'commit' | 'checkout', TrustedTree>;

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
    commit: trustedTreeAt(place, git(root, 'rev-parse', 'HEAD')),
    checkout: trustedTreeIn(createConfinedFiles({ root, readOnlyRoots: [] })),
  };
});
afterAll(() => rmSync(base, { recursive: true }));

test.each([
  'commit',
  'checkout',
] as const)('the %s lists regular files to a given depth, and follows no link', async (kind) => {
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
] as const)('the %s returns contents of regular files of limited size, and nothing else', async (kind) => {
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

test.each([
  'commit',
  'checkout',
] as const)('the %s lists executable files, unusual names, and only as many files and levels as requested', async (kind) => {
  const tree = path.join(base, kind);
  repository(tree, { ':(odd)*/x': 'x', 'a/1': '1', 'a/2': '22', 'a/b/c/d': 'd', b: 'b', 'a.md': '' });
  for (const [name, mode] of [
    ['a/1', 0o755],
    ['b', 0o655],
  ] as const)
    chmodSync(path.join(tree, name), mode);
  git(tree, 'commit', '-q', '-am', 'Modes');
  const place = { cwd: tree, gitDirectory: path.join(tree, '.git') };
  const steering = {
    commit: trustedTreeAt(place, git(tree, 'rev-parse', 'HEAD')),
    checkout: trustedTreeIn(createConfinedFiles({ root: tree, readOnlyRoots: [] })),
  }[kind];
  const below = async (...given: Parameters<TrustedTree['below']>) =>
    (await steering.below(...given)).map((file) => file.path);
  expect(await steering.below('a', 1, 10)).toEqual([
    { path: 'a/1', size: 1, executable: true },
    { path: 'a/2', size: 2, executable: false },
  ]);
  expect([
    await below(':(odd)*', 1, 10),
    await below(':(top)a', 1, 10),
    await below('a', 3, 10),
    await below('a', 2, 10),
    await below('a', 3, 1),
    await below('a', 3, 0),
    await below('a', 0, 10),
    await below('b', 1, 10),
    await below('', 4, 10),
    await below('a/b/c', 1, 1),
  ]).toEqual([
    [':(odd)*/x'],
    [],
    ['a/1', 'a/2', 'a/b/c/d'],
    ['a/1', 'a/2'],
    ['a/1'],
    [],
    [],
    [],
    [':(odd)*/x', 'a.md', 'a/1', 'a/2', 'a/b/c/d', 'b'],
    ['a/b/c/d'],
  ]);
});

test.each([
  'commit',
  'checkout',
] as const)('the %s reads a file of 256 KiB, but none that is a byte longer', async (kind) => {
  const tree = path.join(base, `sizes-${kind}`);
  const most = 256 * 1024;
  repository(tree, { most: Buffer.alloc(most), more: Buffer.alloc(most + 1), empty: '' });
  const place = { cwd: tree, gitDirectory: path.join(tree, '.git') };
  const steering = {
    commit: trustedTreeAt(place, git(tree, 'rev-parse', 'HEAD')),
    checkout: trustedTreeIn(createConfinedFiles({ root: tree, readOnlyRoots: [] })),
  }[kind];
  const found = await steering.read(['most', 'more', 'empty', 'none', '../tree/AGENTS.md']);
  expect(new Map([...found].map(([name, bytes]) => [name, bytes.length]))).toEqual(
    new Map([
      ['most', most],
      ['empty', 0],
    ]),
  );
});

test('a refusal gives no file, while any other failure of the folder is thrown', async () => {
  const fail = () => Promise.reject(new Error('a defect'));
  const refuse = () => Promise.reject(new ToolError('no_access', 'It may not be opened.'));
  const file = { kind: 'file', size: 1, mode: 0o644 } as const;
  const folder = { ...file, kind: 'directory' } as const;
  const list = async () => [{ name: 'x', kind: 'file' as const }];
  const stat = async (at: string) => (at === 'a' ? folder : null);
  expect([
    await trustedTreeIn({ stat: refuse, list: fail, read: fail }).below('a', 1, 9),
    await trustedTreeIn({ stat: async () => folder, list: refuse, read: fail }).below('a', 1, 9),
    await trustedTreeIn({ stat, list, read: fail }).below('a', 1, 9),
    await trustedTreeIn({ stat: async () => file, list, read: refuse }).read(['a']),
    await trustedTreeIn({ stat: async () => folder, list, read: fail }).read(['a']),
  ]).toEqual([[], [], [{ path: 'a/x', size: 0, executable: false }], new Map(), new Map()]);
  await expect(trustedTreeIn({ stat: fail, list, read: fail }).below('a', 1, 9)).rejects.toThrow('a defect');
  await expect(trustedTreeIn({ stat: async () => file, list, read: fail }).read(['a'])).rejects.toThrow(
    'a defect',
  );
});

test('a commit does not change, while a checkout has its current contents', async () => {
  put(root, { 'AGENTS.md': 'Ship it.\n' });
  mkdirSync(path.join(root, 'rules/new'));
  const texts = async (tree: TrustedTree) => (await tree.read(['AGENTS.md'])).get('AGENTS.md')?.toString();
  expect([await texts(trees.commit), await texts(trees.checkout)]).toEqual(['Be brief.\n', 'Ship it.\n']);
});
