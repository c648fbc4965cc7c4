import { expect, test } from 'vitest';
import { readFileAt } from '../../src/workspace/read-file-at.ts';
import { commitsOn, headlinesBetween, readTextAt } from '../../src/workspace/review-history.ts';
import { repositoryOf } from '../checks/diff-fixture.ts';

test('Headlines are those of the commits in between, newest first.', async () => {
  const { git, commits } = repositoryOf({ 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
  const [first = '', second = ''] = commits;
  expect([await headlinesBetween(git, first, second), await headlinesBetween(git, second, second)]).toEqual([
    ['x'],
    [],
  ]);
});

test('A path is a path, whatever git would make of it, and one that no tree can have is no file.', async () => {
  const magic = ':(icase)A.txt';
  const { git, commits } = repositoryOf({ 'a.txt': 'one\n' }, { [magic]: 'two\n', ':!b': 'three\n' });
  const [first = '', second = ''] = commits;
  const outside = [
    '../a.txt',
    '/etc/passwd',
    'x/../../y',
    'a.txt/',
    './a.txt',
    '.',
    'a\0b',
    'x'.repeat(5_000),
  ];
  expect({
    texts: await Promise.all(
      ['a.txt', magic, ':!b', ':(top)a.txt'].map((path) => readTextAt(git, second, path)),
    ),
    base: await readFileAt(git, second, magic),
    commits: await commitsOn(git, first, second, magic),
    outside: await Promise.all(outside.map((path) => readTextAt(git, second, path))),
    history: await Promise.all(outside.map((path) => commitsOn(git, first, second, path))),
  }).toEqual({
    texts: ['one\n', 'two\n', 'three\n', null],
    base: 'two\n',
    commits: [second],
    outside: outside.map(() => null),
    history: outside.map(() => []),
  });
});
