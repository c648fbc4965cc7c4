import { expect, test } from 'vitest';
import { readFileAt } from '../../../src/workspace/git/files-at.ts';
import {
  commitNow,
  commitsOn,
  headlinesBetween,
  mergeBaseOf,
  readTextAt,
  renamedBetween,
} from '../../../src/workspace/git/review-history.ts';
import { repositoryOf } from '../../checks/diff-fixture.ts';
import { git as run } from '../repository.ts';

test('returns the headlines of the newest 20 commits in the range, without merges', async () => {
  const { root, git, commits } = repositoryOf({ 'a.txt': 'one\n' });
  const [first = ''] = commits;
  const tree = run(root, 'rev-parse', 'HEAD^{tree}');
  const commit = (message: string, ...parents: readonly string[]) =>
    run(root, 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message);
  let head = first;
  for (let index = 1; index <= 22; index += 1) head = commit(`Change ${index}\n\nWhy`, head);
  const before = head;
  const merge = commit('Merge it', head, commit(' ', first));
  expect([
    await headlinesBetween(git, first, before),
    await headlinesBetween(git, `${before}~1`, merge),
    await headlinesBetween(git, before, before),
  ]).toEqual([Array.from({ length: 20 }, (_, index) => `Change ${22 - index}`), ['Change 22'], []]);
});

test('a path is literal for git, and one that no tree can have gives nothing', async () => {
  const magic = ':(icase)A.txt';
  const { git, commits } = repositoryOf({ 'a.txt': 'one\n' }, { [magic]: 'two\n', ':!b': 'three\n' });
  const [first = '', second = ''] = commits;
  const outside = [
    ...[
      '../a.txt',
      '/etc/passwd',
      'x/../../y',
      'x/..',
      'a.txt/',
      './a.txt',
      'x/.',
      'x/./y',
      '.',
      '..',
      'a\0b',
    ],
    'x'.repeat(4_097),
  ];
  expect({
    texts: await Promise.all(
      ['a.txt', magic, ':!b', ':(top)a.txt'].map((path) => readTextAt(git, second, path)),
    ),
    base: await readFileAt(git, second, magic),
    commits: await commitsOn(git, first, second, [magic]),
    outside: await Promise.all(outside.map((path) => readTextAt(git, second, path))),
    history: await Promise.all(outside.map((path) => commitsOn(git, first, second, [path]))),
  }).toEqual({
    texts: ['one\n', 'two\n', 'three\n', null],
    base: 'two\n',
    commits: [{ sha: second, parents: [first] }],
    outside: outside.map(() => null),
    history: outside.map(() => []),
  });
});

test('a text is read only from a regular file of at most 1 MiB without NUL bytes', async () => {
  const longest = `${'d/'.repeat(1_900)}${'x'.repeat(296)}`;
  const files = {
    ...{ whole: 'x'.repeat(1024 * 1024), large: 'x'.repeat(1024 * 1024 + 1), empty: '', nul: 'a\0b' },
    ...{ 'a..b/.c': 'dots', '...': 'three', 'f/x': 'x' },
  };
  const { git, commits } = repositoryOf({ ...files, link: { link: 'empty' } });
  const texts = await Promise.all(
    [...Object.keys(files), 'link', 'f', longest].map((path) => readTextAt(git, commits[0] ?? '', path)),
  );
  expect(texts).toEqual([files.whole, null, '', null, 'dots', 'three', 'x', null, null, null]);
});

test('returns the newest 50 commits after the base that changed a file, newest first', async () => {
  const states = Array.from({ length: 53 }, (_, index) => ({ 'a.txt': `${index}\n` }));
  const { git, commits } = repositoryOf({ 'b.txt': 'b\n' }, ...states, { 'b.txt': 'c\n' });
  const [first = ''] = commits;
  const last = commits.at(-1) ?? '';
  expect([
    await commitsOn(git, first, last, ['a.txt']),
    await commitsOn(git, first, last, ['b.txt']),
    await commitsOn(git, first, last, ['none']),
  ]).toEqual([
    commits
      .slice(4, -1)
      .map((sha, index) => ({ sha, parents: [commits[index + 3]] }))
      .toReversed(),
    [{ sha: last, parents: [commits.at(-2)] }],
    [],
  ]);
});

test('the merge base of unrelated commits is the first one', async () => {
  const { root, git, commits } = repositoryOf({ a: 'one\n' }, { a: 'two\n' });
  const [first = '', second = ''] = commits;
  const tree = run(root, 'rev-parse', 'HEAD^{tree}');
  const side = run(root, 'commit-tree', tree, '-p', first, '-m', 'Side');
  const root2 = run(root, 'commit-tree', tree, '-m', 'Root');
  expect([
    await mergeBaseOf(git, second, side),
    await mergeBaseOf(git, second, second),
    await mergeBaseOf(git, second, root2),
  ]).toEqual([first, second, second]);
});

test('renamed files are found by their old names, in folders and with unusual characters', async () => {
  const text = (name: string) => Array.from({ length: 9 }, (_, line) => `${name} ${line}\n`).join('');
  const { git, commits } = repositoryOf(
    { 'a/one': text('one'), two: text('two'), three: 'x\n', four: text('four') },
    {
      'a/one': null,
      'b/ö ne': `${text('one')}more\n`,
      two: null,
      'two\t2': text('two'),
      three: null,
      four: 'y\n',
    },
  );
  const [first = '', second = ''] = commits;
  expect([
    [...(await renamedBetween(git, first, second))],
    [...(await renamedBetween(git, second, second))],
  ]).toEqual([
    [
      ['a/one', 'b/ö ne'],
      ['two', 'two\t2'],
    ],
    [],
  ]);
});

test('finds a commit again by its change, as after a rebase', async () => {
  const { root, git, commits } = repositoryOf({ a: 'one\n' }, { a: 'two\n' }, { b: 'b\n' });
  const [base = '', fix = '', more = ''] = commits;
  run(root, 'reset', '-q', '--hard');
  run(root, 'checkout', '-q', '--detach', base);
  run(root, 'commit', '-q', '--allow-empty', '-m', 'Base moved');
  const moved = run(root, 'rev-parse', 'HEAD');
  run(root, 'cherry-pick', fix, more);
  const head = run(root, 'rev-parse', 'HEAD');
  const squashed = run(root, 'commit-tree', `${head}^{tree}`, '-p', moved, '-m', 'Squashed');
  const merge = run(root, 'commit-tree', `${head}^{tree}`, '-p', fix, '-p', more, '-m', 'Merge');
  const unrelated = run(root, 'commit-tree', `${head}^{tree}`, '-m', 'Root');
  const range = { base: moved, head };
  expect({
    kept: await commitNow(git, { base, head: more }, fix),
    merged: await commitNow(git, { base: fix, head: more }, base),
    rebased: [await commitNow(git, range, fix), await commitNow(git, range, more)],
    squashed: await commitNow(git, { base: moved, head: squashed }, fix),
    others: [await commitNow(git, range, merge), await commitNow(git, range, unrelated)],
    gone: await commitNow(git, range, '0'.repeat(40)),
  }).toEqual({
    ...{ kept: fix, merged: base, rebased: [run(root, 'rev-parse', `${head}^`), head] },
    ...{ squashed: null, others: [null, null], gone: null },
  });
});
