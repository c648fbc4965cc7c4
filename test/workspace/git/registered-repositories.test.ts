import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRepositories } from '../../../src/workspace/git/registered-repositories.ts';
import { repository, temporaryFolder } from '../repository.ts';

let base: string;
let root: string;
beforeAll(() => {
  base = temporaryFolder('registered');
  root = path.join(base, 'work/tree');
  repository(root, { 'a.txt': 'a\n' });
  repository(path.join(base, 'work/lib'), { 'src/lib.ts': 'x\n' });
  repository(path.join(base, 'far/away'), { 'b.txt': 'b\n' });
  repository(path.join(base, 'data/run'), { 'secret.txt': 's\n' });
  repository(path.join(root, 'nested'), { 'c.txt': 'c\n' });
  mkdirSync(path.join(base, 'work/plain'));
  symlinkSync(path.join(base, 'far/away'), path.join(base, 'work/link'));
  symlinkSync(path.join(base, 'far/away'), path.join(root, 'planted'));
});
afterAll(() => rmSync(base, { recursive: true }));

const find = (registered: readonly { name?: string; path: string }[], from = root) =>
  findRepositories({ registered, root, from, private: [path.join(base, 'data')] });

test('checkouts are found by relative and absolute paths and links, with their registered names', () => {
  const away = path.join(base, 'far/away');
  expect(find([{ path: '../lib/' }, { name: 'far', path: '../link' }])).toEqual({
    repositories: [
      { name: 'lib', displayPath: '../lib', root: path.join(base, 'work/lib') },
      { name: 'far', displayPath: '../link', root: away },
    ],
    problems: [],
  });
  expect(find([{ path: away }]).repositories).toEqual([{ name: 'away', displayPath: away, root: away }]);
});

test('relative paths start at the given folder if a run has its own checkout', () => {
  expect(find([{ path: 'lib' }, { path: '../far/away' }], path.join(base, 'work')).repositories).toEqual([
    { name: 'lib', displayPath: path.join(base, 'work/lib'), root: path.join(base, 'work/lib') },
    { name: 'away', displayPath: '../far/away', root: path.join(base, 'far/away') },
  ]);
});

test.each([
  ['../missing', 'there is no such folder'],
  ['../plain', 'it is not the top of a git work tree'],
  ['../lib/src', 'it is not the top of a git work tree'],
  ['nested', 'it lies in the workspace, where it can be read anyway'],
  ['planted', 'it lies in the workspace, where it can be read anyway'],
  ['.', 'it lies in the workspace, where it can be read anyway'],
  ['..', 'it holds the workspace itself'],
  ['../../data/run', 'Anode CI keeps data of its own there'],
  ['/', 'it holds the workspace itself'],
  ['/etc', 'it is a folder of the system'],
  ['/proc/self/cwd/..', 'it is a folder of the system'],
  ['/usr', 'it is a folder of the system'],
  [
    path.dirname(homedir()),
    'it is a folder of the system|it is, or holds, a home folder|it holds the workspace itself',
  ],
])('%s is omitted, and the operator gets the reason', (given, reason) => {
  const { repositories, problems } = find([{ path: given }]);
  expect(repositories).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^workspace\\.repos\\.0 \\(.*\\) is left out: (${reason})\\.$`));
});

const system = [
  ...[
    '/home',
    '/media',
    '/mnt',
    '/opt',
    '/srv',
    '/usr',
    '/var',
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/lib',
    '/lib64',
    '/proc',
  ],
  ...['/run', '/sbin', '/sys', '/dev/fd', '/etc/ssl', '/proc/sys', '/sys/kernel', '/bin/../etc'],
].filter((folder) => existsSync(folder));

test.each(system)('the system folder %s is never a checkout', (folder) => {
  expect(find([{ path: folder }])).toEqual({
    repositories: [],
    problems: [`workspace.repos.0 (${folder}) is left out: it is a folder of the system.`],
  });
});

test('our own data folder, and any folder above or below it, is omitted', () => {
  const own = 'Anode CI keeps data of its own there';
  const paths = ['../../data', '../../data/run'];
  const around = findRepositories({
    ...{ registered: [{ path: '../lib' }], root, from: root },
    private: [path.join(base, 'none'), path.join(base, 'work/lib/src')],
  });
  expect([find(paths.map((one) => ({ path: one }))).problems, around.problems]).toEqual([
    paths.map((one, index) => `workspace.repos.${index} (${one}) is left out: ${own}.`),
    [`workspace.repos.0 (../lib) is left out: ${own}.`],
  ]);
});

test('a path below another start folder is displayed absolute, and the workspace is omitted', () => {
  const from = path.join(base, 'work');
  expect(find([{ path: './lib//' }, { path: 'tree' }, { path: '../work' }], from)).toEqual({
    repositories: [
      { name: 'lib', displayPath: path.join(base, 'work/lib'), root: path.join(base, 'work/lib') },
    ],
    problems: [
      'workspace.repos.1 (tree) is left out: it lies in the workspace, where it can be read anyway.',
      'workspace.repos.2 (../work) is left out: it holds the workspace itself.',
    ],
  });
});

test('a second repository with the same name or folder is omitted', () => {
  const { repositories, problems } = find([
    { path: '../lib' },
    { name: 'lib', path: '../link' },
    { name: 'other', path: '../lib' },
  ]);
  expect(repositories.map(({ displayPath }) => displayPath)).toEqual(['../lib']);
  expect(problems).toEqual([
    'workspace.repos.1 (../link) is left out: it has the name or the folder of ../lib. Give it a name of its own.',
    'workspace.repos.2 (../lib) is left out: it has the name or the folder of ../lib. Give it a name of its own.',
  ]);
});
