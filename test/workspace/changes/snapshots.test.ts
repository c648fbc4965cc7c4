import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createSnapshots,
  type SnapshotLimits,
  type Snapshots,
} from '../../../src/workspace/changes/snapshots.ts';
import { removeTree } from '../../../src/workspace/files/remove-tree.ts';
import { makeOwnGit, type OwnGit } from '../../../src/workspace/git/own-git.ts';
import { goDeep } from '../go-deep.ts';
import { git, put, repository } from '../repository.ts';

let base: string;
let root: string;
let own: OwnGit;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-snapshots-')));
  root = path.join(base, 'tree');
  mkdirSync(root);
});
afterEach(() => removeTree(base));

const at = (file: string) => path.join(root, file);

/** Snapshots as a run takes them, with the repository of the work tree if there is one. */
function begin(limits?: SnapshotLimits): Snapshots {
  const directory = path.join(root, '.git');
  const layout = readdirSync(root).includes('.git') ? { directory, common: directory } : null;
  own = makeOwnGit(layout, path.join(base, 'own.git'));
  return createSnapshots({ cwd: root, gitDirectory: own.gitDirectory, workTree: root }, limits);
}

/** Lists what a tree holds: mode, path and text, a line each. */
function contents(tree: string): string[] {
  const ask = (...args: string[]) =>
    execFileSync('git', args, { cwd: base, env: { ...process.env, GIT_DIR: own.gitDirectory } }).toString(
      'latin1',
    );
  return ask('ls-tree', '-r', '-z', tree)
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, kind, object, name] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
      return `${mode} ${name}: ${kind === 'blob' ? ask('cat-file', 'blob', object ?? '') : kind}`;
    });
}

test('a tree has all files that are not ignored, and is the same without a change', async () => {
  put(root, {
    ...{ '.gitignore': 'dist/\n', a: 'one', 'dist/x': 'x', 'sub/run.sh': 'run' },
    ...{ '.anode-harness/x': 'x', '.anode-tmp-1/x': 'x', 'sub/.anode-tmp-2': 'x' },
  });
  chmodSync(at('sub/run.sh'), 0o755);
  symlinkSync('/etc/passwd', at('link'));
  const snapshots = begin();
  const first = await snapshots.take();
  const same = await snapshots.take();
  put(root, { a: 'two' });
  rmSync(at('link'));
  const second = await snapshots.take();
  expect([same === first, contents(first), contents(second), snapshots.omitted()]).toEqual([
    true,
    ['100644 .gitignore: dist/\n', '100644 a: one', '120000 link: /etc/passwd', '100755 sub/run.sh: run'],
    ['100644 .gitignore: dist/\n', '100644 a: two', '100755 sub/run.sh: run'],
    [],
  ]);
});

test('an empty work tree gives an empty tree', async () => {
  expect(contents(await begin().take())).toEqual([]);
});

test('files that replace folders, and pipes that replace files, are recorded', async () => {
  repository(root, { 'a/b': 'one', c: 'two', d: 'three', e: 'four' });
  const snapshots = begin();
  await snapshots.take();
  for (const name of ['a', 'c', 'd', 'e']) rmSync(at(name), { recursive: true });
  put(root, { a: 'file', 'c/deep': 'below' });
  execFileSync('mkfifo', [at('d')]);
  mkdirSync(at('e'));
  expect(contents(await snapshots.take())).toEqual(['100644 a: file', '100644 c/deep: below']);
});

test('files of a nested repository are included, except for ignored ones and its git directory', async () => {
  repository(root, { a: 'one', '.gitignore': '*.log\n' });
  const snapshots = begin();
  await snapshots.take();
  repository(at('sub'), { 'x.txt': 'x', 'x.log': 'log', 'deep/y': 'y' });
  put(root, { 'sub/.GIT/config': 'evil' });
  symlinkSync('x.txt', at('sub/link'));
  execFileSync('mkfifo', [at('sub/pipe')]);
  expect(contents(await snapshots.take())).toEqual([
    '100644 .gitignore: *.log\n',
    '100644 a: one',
    '100644 sub/deep/y: y',
    '120000 sub/link: x.txt',
    '100644 sub/x.txt: x',
  ]);
});

test('names are bytes and may be invalid text', async () => {
  const odd = [Buffer.from('caf\xe9', 'latin1'), Buffer.from('grün'), Buffer.from('a\nb')];
  for (const name of odd) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'x');
  const snapshots = begin();
  const first = contents(await snapshots.take());
  for (const name of odd) rmSync(Buffer.concat([Buffer.from(`${root}/`), name]));
  expect([first, contents(await snapshots.take())]).toEqual([
    ['a\nb', 'caf\xe9', Buffer.from('grün').toString('latin1')].map((name) => `100644 ${name}: x`),
    [],
  ]);
});

test('files beyond the limits stay unchanged in the tree, and new or changed ones are listed', async () => {
  const limits = { file: 10, total: 15 };
  put(root, { a: 'x'.repeat(10), b: 'x'.repeat(11), c: 'x'.repeat(11), d: '' });
  const snapshots = begin(limits);
  const first = await snapshots.take();
  expect([contents(first).map((line) => line.slice(7, 8)), snapshots.omitted()]).toEqual([['a', 'd'], []]);
  // A file from before the first snapshot does not count: 10 and 5 fit the total of 15.
  put(root, { c: 'y'.repeat(12), d: 'x'.repeat(10), e: 'x'.repeat(5) });
  const second = await snapshots.take();
  expect([contents(second).map((line) => line.slice(7)), snapshots.omitted()]).toEqual([
    ['a: xxxxxxxxxx', 'd: xxxxxxxxxx', 'e: xxxxx'],
    ['c'],
  ]);
  put(root, { grün: 'x' });
  expect([await snapshots.take(), snapshots.omitted()]).toEqual([second, ['c', 'grün']]);
  // A file that becomes smaller or is deleted frees space for the next snapshot.
  put(root, { d: 'x'.repeat(9) });
  await snapshots.take();
  const third = await snapshots.take();
  expect([contents(third).map((line) => line.slice(7)), snapshots.omitted()]).toEqual([
    ['a: xxxxxxxxxx', 'd: xxxxxxxxx', 'e: xxxxx', `${Buffer.from('grün').toString('latin1')}: x`],
    ['c'],
  ]);
  rmSync(at('e'));
  await snapshots.take();
  put(root, { f: 'xxxxxx', g: 'xxxxx' });
  expect([contents(await snapshots.take()).slice(2, 3), snapshots.omitted()]).toEqual([
    ['100644 g: xxxxx'],
    ['c', 'f'],
  ]);
});

test('amends the last tree with written contents, whatever the work tree has now', async () => {
  repository(root, { '.gitignore': 'dist\n', '.gitattributes': '*.bat text eol=crlf\n', a: 'one', b: 'b' });
  const snapshots = begin();
  await snapshots.take();
  put(root, { a: 'by a command' });
  const known = (file: string, text: string | null, mode = 0o644) => ({
    path: file,
    content: text === null ? null : Buffer.from(text),
    mode,
  });
  const tree = await snapshots.amend([
    ...[known('a', 'two'), known('b', null), known('dist', 'ignored'), known('grün', 'new', 0o755)],
    ...[known('run.bat', 'a\r\n'), known('not', 'executable', 0o677)],
  ]);
  expect(contents(tree)).toEqual([
    '100644 .gitattributes: *.bat text eol=crlf\n',
    '100644 .gitignore: dist\n',
    '100644 a: two',
    `100755 ${Buffer.from('grün').toString('latin1')}: new`,
    '100644 not: executable',
    '100644 run.bat: a\n',
  ]);
  expect(contents(await snapshots.amend([])).length).toBe(6);
  expect(contents(await snapshots.take()).slice(2)).toEqual(['100644 a: by a command', '100644 b: b']);
});

test('writes behind a link or in a submodule are not added to the tree', async () => {
  repository(root, { a: 'one', 'src/b': 'b' });
  const head = git(root, 'rev-parse', 'HEAD');
  git(root, 'update-index', '--add', '--cacheinfo', `160000,${head},sub`);
  mkdirSync(at('sub'));
  const snapshots = begin();
  const first = contents(await snapshots.take());
  symlinkSync('src', at('link'));
  const known = (file: string) => ({ path: file, content: Buffer.from('new'), mode: 0o644 });
  const files = ['link/x', ':!new', ':(glob)*', 'new', 'sub/x', 'sub/deep/x', 'src/x'].map(known);
  const magic = ['100644 :!new: new', '100644 :(glob)*: new'];
  const more = ['100644 new: new', '100644 src/b: b', '100644 src/x: new', '160000 sub: commit'];
  expect([first, contents(await snapshots.amend(files))]).toEqual([
    ['100644 a: one', '100644 src/b: b', '160000 sub: commit'],
    [...magic, '100644 a: one', ...more],
  ]);
  expect(contents(await snapshots.take())).toEqual([
    ...['100644 a: one', '120000 link: src', '100644 src/b: b', '160000 sub: commit'],
  ]);
});

test('makes a tree with earlier entries, and the next snapshot finds the current ones', async () => {
  repository(root, { a: 'one', b: 'b' });
  const object = git(root, 'rev-parse', 'HEAD:a');
  const snapshots = begin();
  await snapshots.take();
  put(root, { a: 'two', 'new/grün': 'new', 'd/e': 'e' });
  await snapshots.take();
  const tree = await snapshots.without([
    { path: 'a', entry: { mode: '100755', object } },
    { path: 'new/grün', entry: null },
    { path: 'd', entry: { mode: '120000', object } },
    { path: 'ü', entry: { mode: '100644', content: Buffer.from('not by its object') } },
  ]);
  const gone = await snapshots.without([{ path: 'b', entry: null }]);
  const name = Buffer.from('new/grün').toString('latin1');
  expect([contents(tree), contents(gone), contents(await snapshots.take())]).toEqual([
    ['100755 a: one', '100644 b: b', '120000 d: one'],
    ['100755 a: one', '120000 d: one'],
    ['100644 a: two', '100644 b: b', '100644 d/e: e', `100644 ${name}: new`],
  ]);
});

test('a merge with conflicts is recorded as the files are', async () => {
  repository(root, { a: 'one\n', b: 'b' });
  git(root, 'switch', '-q', '-c', 'other');
  put(root, { a: 'other\n' });
  git(root, 'commit', '-q', '-am', 'Other');
  git(root, 'switch', '-q', 'main');
  put(root, { a: 'main\n' });
  git(root, 'commit', '-q', '-am', 'Main');
  expect(() => git(root, 'merge', 'other')).toThrow();
  put(root, { a: 'solved\n' });
  expect(contents(await begin().take())).toEqual(['100644 a: solved\n', '100644 b: b']);
});

test('fails for a file that git cannot store, and leaves a link to the next snapshot', async () => {
  put(root, { a: 'one' });
  const snapshots = begin();
  await snapshots.take();
  /** Makes a file at the path where git needs the folder for an object of this text. */
  const block = (text: string) => {
    const name = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
    put(own.gitDirectory, { [`objects/${name.slice(0, 2)}`]: 'in the way' });
    return path.join(own.gitDirectory, 'objects', name.slice(0, 2));
  };
  const link = block('nowhere');
  symlinkSync('nowhere', at('link'));
  put(root, { b: 'two' });
  const left = contents(await snapshots.take());
  rmSync(link);
  const taken = contents(await snapshots.take());
  const file = block('three');
  put(root, { c: 'three' });
  await expect(snapshots.take()).rejects.toThrow(/^git hash-object -w --no-filters --stdin ended with 128/);
  rmSync(file);
  expect([left, taken, contents(await snapshots.take())]).toEqual([
    ['100644 a: one', '100644 b: two'],
    ['100644 a: one', '100644 b: two', '120000 link: nowhere'],
    ['100644 a: one', '100644 b: two', '100644 c: three', '120000 link: nowhere'],
  ]);
});

test('a submodule stays at the commit in the index', async () => {
  repository(at('sub'), { 'lib.txt': 'lib' });
  repository(root, { a: 'one' });
  const snapshots = begin();
  const first = contents(await snapshots.take());
  put(root, { 'sub/lib.txt': 'changed', 'sub/new.txt': 'new' });
  expect([first, contents(await snapshots.take())]).toEqual(
    Array(2).fill(['100644 a: one', '160000 sub: commit']),
  );
});

test('a nested repository deeper than any path is included as far as paths reach', async () => {
  repository(root, { a: 'one\n' });
  const snapshots = begin();
  await snapshots.take();
  put(root, { 'nested/b': 'b\n' });
  git(at('nested'), 'init', '-q');
  goDeep(at('nested'));
  const tree = await snapshots.take();
  expect(git(root, '--git-dir', own.gitDirectory, 'ls-tree', '-r', '--name-only', tree).split('\n')).toEqual([
    ...['a', 'nested/b'],
  ]);
});
