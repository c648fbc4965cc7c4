import { expect, test } from 'vitest';
import { readsWithGit } from '../../../src/permissions/shell/read-only-git.ts';

const reads = (call: string) => readsWithGit(call === '' ? [] : call.split(' '));

const showing = 'log show diff whatchanged diff-tree diff-index diff-files range-diff'.split(' ');
const listing =
  'status blame annotate shortlog rev-parse rev-list ls-files ls-tree describe name-rev merge-base for-each-ref show-ref count-objects cherry version check-ignore'.split(
    ' ',
  );

test.each(showing)('git %s reads, unless it is told to write or to run a program', (name) => {
  const more = ['--output=f', '--ext-diff', '--textconv'].map((option) => reads(`${name} ${option}`));
  expect([reads(`${name} -3 --parseopt x`), ...more]).toEqual([true, false, false, false]);
});

test.each(listing)('git %s reads, unless it is told to write or to run a program', (name) => {
  const options = ['--output=f', '--ext-diff', '--exec=x', '--textconv', '--parseopt'];
  expect([reads(`${name} -a x`), ...options.map((option) => reads(`${name} ${option}`))]).toEqual([
    true,
    ...options.map(() => false),
  ]);
});

test.each([
  ...['--version', '--no-pager log', '-P log', '--no-optional-locks status', '--literal-pathspecs log'],
  ...['-P --no-pager log', 'log -- --output=f', 'cat-file -p HEAD', 'grep -n x', 'grep x -- -O'],
  ...['branch', 'branch --list', 'branch -l', 'branch -a --all -r --remotes -v -vv --verbose'],
  ...['branch --show-current', 'branch --no-color --sort=a --format=b', 'branch --list a* b', 'branch -l a'],
  ...['tag', 'tag -l', 'tag --list a b', 'remote', 'remote -v', 'remote get-url a'],
  ...['config --get a', 'config --get-all a', 'config --get-regexp a', 'config --list', 'config -l'],
  ...['config --list --show-origin --show-scope --name-only -z --null --local --global --system --worktree'],
  ...['config --get --includes --type=bool a', 'symbolic-ref HEAD', 'symbolic-ref -q --short HEAD'],
  ...['stash list', 'worktree list', 'reflog', 'reflog show', 'reflog show a'],
])('git %s reads', (call) => {
  expect(reads(call)).toBe(true);
});

test.each([
  ...['', '-p log', 'log --output', 'cat-file --textconv x', 'cat-file --filters x', 'cat-file --batch'],
  ...['grep --open-files-in-pager x', 'grep --ext-grep x', 'grep --textconv x', 'grep -nO x'],
  ...['branch a', 'branch --list -D a', 'branch -a a', 'branch -vvv', 'branch --show-currently'],
  ...['tag a', 'tag -l -d a', 'remote -v update', 'remote add a', 'remote get-url', 'remote get-url a b'],
  ...['remote update', 'config a', 'config a --get', 'config --get a --add', 'config --get-color a'],
  ...['config --list --type=', 'symbolic-ref', 'symbolic-ref a b', 'symbolic-ref -d a', 'stash', 'stash pop'],
  ...['stash list x', 'worktree add a', 'worktree list -v', 'reflog expire', 'reflog show --all', 'push'],
])('git %s is not proven to read', (call) => {
  expect(reads(call)).toBe(false);
});
