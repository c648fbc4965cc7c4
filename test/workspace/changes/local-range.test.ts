import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localRange, writeTree } from '../../../src/workspace/changes/local-range.ts';
import { missingCheckout } from '../../../src/workspace/git/missing-checkout.ts';
import { git, put, repository } from '../repository.ts';

let base: string;
let root: string;
let ranges: number;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-range-')));
  root = path.join(base, 'tree');
  mkdirSync(root);
  ranges = 0;
});
afterEach(() => rmSync(base, { recursive: true }));

/** The range between two names, with a new folder for git's data each time. */
function range(from: string, head: string | null = null) {
  ranges += 1;
  return localRange(root, path.join(base, `${ranges}.git`), { base: from, head });
}
const ownGit = (number: number) => ({ cwd: base, gitDirectory: path.join(base, `${number}.git`) });

test('a folder without git or without a commit has no range', async () => {
  const without = await range('main');
  git(root, 'init', '-q');
  expect([without, await range('main')]).toEqual([
    { problem: `${root} is not a git repository.` },
    { problem: `${root} has no commit yet.` },
  ]);
  expect(readdirSync(base)).toEqual(['tree']);
});

test('a range starts at the merge base and ends at the head or the work tree', async () => {
  const fork = repository(root, { 'a.txt': 'one\n' });
  git(root, 'switch', '-q', '-c', 'work');
  put(root, { 'a.txt': 'two\n' });
  git(root, 'commit', '-q', '-am', 'Work');
  const work = git(root, 'rev-parse', 'HEAD');
  git(root, 'switch', '-q', 'main');
  put(root, { 'b.txt': 'b\n' });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Go on');
  const main = git(root, 'rev-parse', 'HEAD');
  git(root, 'switch', '-q', 'work');
  git(root, 'tag', 'v1', main);
  const tree = git(root, 'rev-parse', 'HEAD^{tree}');
  expect([await range('main'), await range('v1', 'work'), await range('work', 'main')]).toEqual([
    { git: ownGit(1), base: main, from: fork, to: tree, sha: null, checkedOut: true },
    { git: ownGit(2), base: main, from: fork, to: work, sha: work, checkedOut: true },
    { git: ownGit(3), base: work, from: fork, to: main, sha: main, checkedOut: false },
  ]);
  put(root, { 'new.txt': 'new\n' });
  const [uncommitted, committed] = [await range('main'), await range('main', 'HEAD')];
  if (!('git' in uncommitted) || !('git' in committed)) throw new Error('There is a range.');
  expect([
    uncommitted.from,
    committed.checkedOut,
    git(base, '--git-dir', uncommitted.git.gitDirectory, 'ls-tree', '--name-only', uncommitted.to),
  ]).toEqual([fork, false, 'a.txt\nnew.txt']);
  expect(git(root, 'status', '--short')).toBe('?? new.txt');
});

test('an unknown commit is reported with the name that was given', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const names = ['none', '--all', '-x', 'HEAD:a.txt', 'HEAD^{tree}', 'f'.repeat(40), 'a "b"', '', 'HEAD~5'];
  const problem = (name: string) => ({
    problem: `There is no commit called ${JSON.stringify(name)} here. In a shallow clone, fetch it first.`,
  });
  const found = [];
  for (const name of names) found.push(await range(name));
  expect(found).toEqual(names.map(problem));
  expect(await range('HEAD', 'none')).toEqual(problem('none'));
});

test('a repository with SHA-256 object names has ranges', async () => {
  git(root, 'init', '-q', '-b', 'main', '--object-format=sha256');
  put(root, { 'a.txt': 'one\n' });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Start');
  const sha = git(root, 'rev-parse', 'HEAD');
  expect(await range('main', 'main')).toEqual({
    ...{ git: ownGit(1), base: sha, from: sha, to: sha, sha, checkedOut: true },
  });
});

test('the files of a tree are written into a folder without a repository', async () => {
  const sha = repository(root, {
    'a.txt': 'one\n',
    'deep/b.txt': 'b\n',
    '.gitattributes': '* filter=evil\n',
  });
  const own = { cwd: root, gitDirectory: path.join(root, '.git') };
  const folder = path.join(base, 'new/files');
  await writeTree(own, `${sha}^{tree}`, folder);
  expect([
    readdirSync(folder, { recursive: true }).sort(),
    readFileSync(path.join(folder, 'deep/b.txt'), 'utf8'),
    existsSync(path.join(root, '.git/put-tree.index')),
    git(root, 'status', '--short'),
  ]).toEqual([['.gitattributes', 'a.txt', 'deep', 'deep/b.txt'], 'b\n', false, '']);
});

test('empty folders, bare repositories and plain folders are no checkouts', () => {
  const at = (name: string) => path.join(base, name);
  for (const name of ['head', 'objects', 'refs']) {
    git(base, 'init', '-q', '--bare', at(`without-${name}`));
    rmSync(at(`without-${name}/${name === 'head' ? 'HEAD' : name}`), { recursive: true });
  }
  git(base, 'init', '-q', '--bare', at('bare'));
  put(base, {
    'files/a.txt': 'a',
    'odd/HEAD': 'x',
    'odd/objects': 'x',
    'odd/refs': 'x',
    'folder/HEAD/x': 'x',
  });
  for (const name of ['objects', 'refs']) mkdirSync(at(`folder/${name}`));
  git(base, 'init', '-q', at('checkout'));
  const folders = ['tree', 'bare', 'files', 'odd', 'folder', 'checkout'];
  const less = ['without-head', 'without-objects', 'without-refs'];
  expect([...folders, ...less].map((name) => missingCheckout(at(name)))).toEqual([
    ...['empty', 'bare', 'no repository', 'no repository', 'no repository', null],
    ...['no repository', 'no repository', 'no repository'],
  ]);
});
