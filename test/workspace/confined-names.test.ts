import { expect, test } from 'vitest';
import { ToolError } from '../../src/contract/errors.ts';
import {
  confinePath,
  isGitPath,
  isInside,
  isOwnPath,
  refuseProtected,
} from '../../src/workspace/files/confine-path.ts';

const refusal = (call: () => unknown) => {
  try {
    return call();
  } catch (error) {
    return error instanceof ToolError ? [error.kind, error.message] : error;
  }
};

test('a folder contains itself and paths below it, but no path that only begins alike', () => {
  const inside = (root: string, path: string) => isInside(root, path);
  expect([
    inside('/a', '/a'),
    inside('/a', '/a/b'),
    inside('/a', '/ab'),
    inside('/', '/b'),
    inside('/a', '/'),
  ]).toEqual([true, true, false, true, false]);
});

test('a git directory is recognised under every name that a file system accepts for it', () => {
  const git = [
    ...['.git', 'a/.git', '.git/config', '.GIT', 'GIT~1', 'a/git~1/x', '.git.', '.git ', '.git. .', '.git:x'],
    ...[
      '.git::$INDEX_ALLOCATION',
      'a\\.git\\x',
      '.g\u200cit',
      '.gi\u206at',
      '.git\u200f',
      '.g\u202eit',
      '.\ufeffgit',
    ],
    ...['\uff0egit', '.\uff47it'],
  ];
  expect(git.filter((path) => !isGitPath(path))).toEqual([]);
  const others = [
    ...[
      '',
      'a',
      'git',
      '.gitignore',
      '.github/x',
      'a.git',
      'git~2',
      '.git~1',
      'x.git/y',
      '.gitx:y',
      'é',
      'a\\b',
    ],
    ...['gi/t', '.g it'],
  ];
  expect(others.filter(isGitPath)).toEqual([]);
});

test('the files of a run are recognised only at their own paths', () => {
  const own = ['.anode-harness', '.Anode-Harness/x', '.anode-tmp-1', 'a/b/.anode-tmp-x/c'];
  const others = ['a/.anode-harness', '.anode-harness2', 'a.anode-tmp-1', 'anode-tmp-', ''];
  expect([own.filter((path) => !isOwnPath(path)), others.filter(isOwnPath)]).toEqual([[], []]);
});

test("git's own files can be neither read nor written, and those of a run not written", () => {
  const calls = [
    () => refuseProtected('.git/config', 'read'),
    () => refuseProtected('.git/config', 'write'),
    () => refuseProtected('.anode-harness/x', 'write'),
    () => refuseProtected('.anode-harness/x', 'read'),
    () => refuseProtected('a', 'write'),
  ];
  const git = [
    'protected',
    ".git/config is git's own, and git's own files cannot be read or written here. Use git commands instead.",
  ];
  expect(calls.map(refusal)).toEqual([
    git,
    git,
    ['protected', ".anode-harness/x is the run's own, which tools do not write."],
    undefined,
    undefined,
  ]);
});

const roots = [
  { folder: '/srv/lib', displayPath: '../lib' },
  { folder: '/opt/docs', displayPath: '/opt/docs' },
  { folder: '/mnt/real', displayPath: '../named' },
];
const overlays = [{ folder: '/store/0', mountPath: 'web/node_modules' }];
const confined = (path: string) => confinePath(path, '/srv/tree', roots, overlays);

test.each([
  ['a/../b', { root: '/srv/tree', relative: 'b', displayPath: 'b' }],
  ['/srv/tree/', { root: '/srv/tree', relative: '', displayPath: '' }],
  ['web/node_modules', { root: '/store/0', relative: '', displayPath: 'web/node_modules' }],
  ['web/node_modules/a/b', { root: '/store/0', relative: 'a/b', displayPath: 'web/node_modules/a/b' }],
  [
    'web/node_modules2',
    { root: '/srv/tree', relative: 'web/node_modules2', displayPath: 'web/node_modules2' },
  ],
  ['web', { root: '/srv/tree', relative: 'web', displayPath: 'web' }],
  ['../lib/a', { root: '/srv/lib', relative: 'a', displayPath: '../lib/a' }],
  ['/srv/lib', { root: '/srv/lib', relative: '', displayPath: '../lib' }],
  ['/opt/docs/a', { root: '/opt/docs', relative: 'a', displayPath: '/opt/docs/a' }],
  ['/mnt/real/a', { root: '/mnt/real', relative: 'a', displayPath: '../named/a' }],
  ['../named/a', { root: '/mnt/real', relative: 'a', displayPath: '../named/a' }],
])('%s is found below its root', (path, found) => {
  expect(confined(path)).toEqual(found);
});

test('a path elsewhere or with a NUL byte is refused', () => {
  const paths = ['../lib2', '/etc/passwd', 'a\0b'];
  expect(paths.map((path) => refusal(() => confined(path)))).toEqual([
    ['outside_workspace', '../lib2 lies outside the workspace. Use paths inside it.'],
    ['outside_workspace', '/etc/passwd lies outside the workspace. Use paths inside it.'],
    ['invalid_input', 'A path cannot hold a NUL byte.'],
  ]);
});
