import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRepositories } from '../../src/workspace/registered-repositories.ts';
import { repository, temporaryFolder } from './repository.ts';

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

test('checkouts are found by relative and absolute path and through links, named as they were registered', () => {
  const away = path.join(base, 'far/away');
  expect(find([{ path: '../lib/' }, { name: 'far', path: '../link' }])).toEqual({
    repositories: [
      { name: 'lib', shown: '../lib', root: path.join(base, 'work/lib') },
      { name: 'far', shown: '../link', root: away },
    ],
    problems: [],
  });
  expect(find([{ path: away }]).repositories).toEqual([{ name: 'away', shown: away, root: away }]);
});

test('where a run works on a checkout of its own, relative paths start at the folder that is given', () => {
  expect(find([{ path: 'lib' }, { path: '../far/away' }], path.join(base, 'work')).repositories).toEqual([
    { name: 'lib', shown: path.join(base, 'work/lib'), root: path.join(base, 'work/lib') },
    { name: 'away', shown: '../far/away', root: path.join(base, 'far/away') },
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
])('%s is left out, and the operator is told why', (given, reason) => {
  const { repositories, problems } = find([{ path: given }]);
  expect(repositories).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^workspace\\.repos\\.0 \\(.*\\) is left out: (${reason})\\.$`));
});

test('two repositories of one name or one folder are one too many', () => {
  const { repositories, problems } = find([
    { path: '../lib' },
    { name: 'lib', path: '../link' },
    { name: 'other', path: '../lib' },
  ]);
  expect(repositories.map(({ shown }) => shown)).toEqual(['../lib']);
  expect(problems).toEqual([
    'workspace.repos.1 (../link) is left out: it has the name or the folder of ../lib. Give it a name of its own.',
    'workspace.repos.2 (../lib) is left out: it has the name or the folder of ../lib. Give it a name of its own.',
  ]);
});
