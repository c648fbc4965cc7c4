import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesAt, storeFile } from '../../../src/workspace/git/files-at.ts';
import { repositoryOf } from '../../checks/diff-fixture.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

const bytes = Buffer.from([0, 255, 10, 13, 0]);
let base: string;
let root: string;
let sha: string;
const place = () => ({ cwd: root, gitDirectory: path.join(root, '.git') });

beforeAll(() => {
  base = temporaryFolder('files-at');
  root = path.join(base, 'tree');
  repository(root, { 'ci/run.sh': 'echo committed\n', 'ci/data': bytes, empty: '', 'ci/sub/x': 'x' });
  symlinkSync('run.sh', path.join(root, 'ci/link'));
  put(root, { ':(glob)**': 'odd name\n', 'big.bin': Buffer.alloc(16 * 2 ** 20 + 1) });
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'More');
  sha = git(root, 'rev-parse', 'HEAD');
  put(root, { 'ci/run.sh': 'echo changed\n', 'only-here': 'x' });
});
afterAll(() => rmSync(base, { recursive: true }));

test('returns contents of regular files from the commit and nothing else', async () => {
  const wanted = [
    ...['ci/run.sh', 'ci/data', './empty', ':(glob)**'],
    ...['ci', 'ci/', 'ci/link', 'only-here', '../tree/ci/data', '/etc/passwd', '', '.', 'big.bin'],
  ];
  expect([...(await filesAt(place(), sha, wanted))]).toEqual([
    [':(glob)**', Buffer.from('odd name\n')],
    ['ci/data', bytes],
    ['ci/run.sh', Buffer.from('echo committed\n')],
    ['./empty', Buffer.alloc(0)],
  ]);
  expect((await filesAt(place(), sha, ['nowhere', '..'])).size).toBe(0);
  expect(await filesAt({ cwd: '/nowhere', gitDirectory: '/nowhere' }, sha, ['..', '/etc', 'a/..'])).toEqual(
    new Map(),
  );
});

test('a stored file is executable, read-only and below its folder', async () => {
  const folder = path.join(base, 'out');
  mkdirSync(folder);
  const written = await storeFile(folder, 'ci/run.sh', Buffer.from('echo committed\n'));
  expect(written).toBe(path.join(folder, 'ci/run.sh'));
  expect([readFileSync(written, 'utf8'), statSync(written).mode & 0o777]).toEqual([
    'echo committed\n',
    0o555,
  ]);
  await expect(storeFile(folder, 'ci/run.sh', bytes)).rejects.toThrow('EEXIST');
  for (const file of ['../away', '.', 'a/', '/away', 'a/../..'])
    await expect(storeFile(folder, file, bytes)).rejects.toThrow(`${file} does not lie below ${folder}.`);
  expect(readdirSync(folder)).toEqual(['ci']);
  expect(existsSync(path.join(base, 'away'))).toBe(false);
});

test('files have at most 16 MiB together', async () => {
  const half = Buffer.alloc(8 * 2 ** 20);
  const { git: own, commits } = repositoryOf({ a: half, b: half, c: 'x', d: '' });
  const found = await filesAt(own, commits[0] ?? '', ['a', 'b', 'c', 'd']);
  expect([...found].map(([name, content]) => [name, content.length])).toEqual([
    ['a', half.length],
    ['b', half.length],
    ['d', 0],
  ]);
});

test('a file whose content is missing in this clone is omitted, not empty', async () => {
  const { root: tree, git: own, commits } = repositoryOf({ a: 'one\n', b: 'two\n' });
  const object = git(tree, 'rev-parse', 'HEAD:a');
  rmSync(path.join(tree, '.git/objects', object.slice(0, 2), object.slice(2)));
  expect([...(await filesAt(own, commits[0] ?? '', ['a', 'b']))]).toEqual([['b', Buffer.from('two\n')]]);
});
