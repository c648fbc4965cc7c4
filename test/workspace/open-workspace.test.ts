import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import { git, put, repository } from './repository.ts';
import { by, byBash, gitContents, sha256, workspacePlace } from './workspace-fixture.ts';

const place = workspacePlace();

test('a missing work folder is reported with its path', async () => {
  await expect(place.open()).rejects.toMatchObject({
    ...{ name: 'ConfigError', message: `The folder to work in does not exist: ${place.root}`, key: 'cwd' },
  });
  put(place.base, { tree: 'a file' });
  place.root = path.join(place.root, 'below');
  await expect(place.open()).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('a run has its start folder and can read other repositories and set-up results', async () => {
  const headSha = repository(place.root, { 'a.txt': 'one\n' });
  put(place.base, { 'lib/x.ts': 'lib', 'store/0/y.js': 'made' });
  const options = {
    root: place.root,
    runFolder: place.runFolder,
    spillFolder: path.join(place.runFolder, 'spill'),
  };
  const plain = await openWorkspace(options);
  const whole = await openWorkspace({
    ...{ ...options, runFolder: path.join(place.base, 'other'), start: 'web' },
    repositories: [{ name: 'lib', displayPath: '../lib', root: path.join(place.base, 'lib') }],
    overlays: () => [{ folder: path.join(place.base, 'store/0'), mountPath: 'node_modules' }],
  });
  const read = async (file: string) => (await whole.files.read(file)).bytes.toString();
  expect([plain.start, whole.start, await read('../lib/x.ts'), await read('node_modules/y.js')]).toEqual([
    ...['', 'web', 'lib', 'made'],
  ]);
  await expect(plain.files.read('../lib/x.ts')).rejects.toMatchObject({ kind: 'outside_workspace' });
  expect([
    plain.root,
    await plain.finalChanges(),
    existsSync(path.join(place.runFolder, 'trees.git')),
  ]).toEqual([place.root, { base_sha: headSha, patch: '', files: [] }, false]);
  expect([await whole.agentGitDirectory(), await whole.agentGitDirectory()]).toEqual(
    Array(2).fill(path.join(place.base, 'other/agent.git')),
  );
  await plain.close();
});

test('changes are recorded in a folder without git, and no git directory is made', async () => {
  put(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('two\n') }], by);
  const { files, base_sha } = await workspace.finalChanges();
  expect({
    files: files.map(({ path: at, diff }) => ({ at, diff: diff.includes('-one\n+two\n') })),
    base_sha,
  }).toEqual({
    files: [{ at: 'a.txt', diff: true }],
    base_sha: '',
  });
  expect([workspace.headSha, await workspace.agentGitDirectory()]).toEqual([null, null]);
  expect(existsSync(path.join(place.root, '.git'))).toBe(false);
});

test('commits and branches of the agent go to its own git directory, not the repository', async () => {
  const headSha = repository(place.root, { 'a.txt': 'one\n' });
  git(place.root, 'branch', 'other');
  const before = gitContents(place.root);
  const workspace = await place.open();
  await workspace.baseline();
  const directory = (await workspace.agentGitDirectory()) ?? '';
  const throwaway = ['--git-dir', directory, '--work-tree', place.root];
  put(place.root, { 'a.txt': 'two\n' });
  expect(git(place.root, ...throwaway, 'status', '--short')).toBe('M a.txt');
  git(place.root, ...throwaway, 'commit', '-q', '-am', 'By the agent');
  git(place.root, ...throwaway, 'switch', '-q', '-c', 'agent');
  expect(git(place.root, ...throwaway, 'log', '--format=%s %P')).toBe(`By the agent ${headSha}\nStart`);
  expect(git(place.root, ...throwaway, 'rev-parse', 'other')).toBe(headSha);
  expect(readFileSync(path.join(directory, 'objects/info/alternates'), 'utf8')).toBe(
    `${path.join(place.root, '.git/objects')}\n`,
  );
  expect(readFileSync(path.join(directory, 'config'), 'utf8')).not.toContain('remote');
  expect((await workspace.changes.observe(byBash)).map(({ path: at, kind }) => ({ at, kind }))).toEqual([
    { at: 'a.txt', kind: 'modify' },
  ]);
  expect(gitContents(place.root)).toEqual(before);
});

test('a linked work tree, whose .git is a file, can be used', async () => {
  const headSha = repository(path.join(place.base, 'main'), { 'a.txt': 'one\n' });
  git(path.join(place.base, 'main'), 'worktree', 'add', '-q', place.root);
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'a.txt': 'two\n' });
  const directory = (await workspace.agentGitDirectory()) ?? '';
  expect(git(place.root, '--git-dir', directory, '--work-tree', place.root, 'diff', '--stat')).toContain(
    'a.txt',
  );
  expect([workspace.headSha, (await workspace.finalChanges()).files.length]).toEqual([headSha, 1]);
});

test('links in a git directory do not expose files of the machine', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  put(place.base, { secret: 'canary' });
  for (const name of ['packed-refs', 'shallow', 'info/exclude', 'sharedindex.0']) {
    rmSync(path.join(place.root, '.git', name), { force: true });
    symlinkSync(path.join(place.base, 'secret'), path.join(place.root, '.git', name));
  }
  const workspace = await place.open();
  const directory = (await workspace.agentGitDirectory()) ?? '';
  expect(() => execFileSync('grep', ['-r', 'canary', directory], { encoding: 'utf8' })).toThrow();
});

test('packed refs, a detached head and a repository without a commit can be read', async () => {
  const headSha = repository(place.root, { 'a.txt': 'one\n' });
  git(place.root, 'pack-refs', '--all');
  const packed = await place.open();
  git(place.root, 'checkout', '-q', '--detach');
  const detached = await place.open();
  rmSync(place.root, { recursive: true });
  mkdirSync(place.root);
  git(place.root, 'init', '-q');
  const unborn = await place.open();
  put(place.root, { 'a.txt': 'one\n' });
  expect([packed.headSha, detached.headSha, unborn.headSha]).toEqual([headSha, headSha, null]);
  await unborn.changes.apply([{ path: 'b.txt', content: Buffer.from('b') }], by);
  expect((await unborn.finalChanges()).files.map(({ path: at }) => at)).toEqual(['b.txt']);
});

test('a run can start in a merge with conflicts', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  git(place.root, 'switch', '-q', '-c', 'other');
  put(place.root, { 'a.txt': 'other\n' });
  git(place.root, 'commit', '-q', '-am', 'Other');
  git(place.root, 'switch', '-q', 'main');
  put(place.root, { 'a.txt': 'main\n' });
  git(place.root, 'commit', '-q', '-am', 'Main');
  expect(() => git(place.root, 'merge', 'other')).toThrow();
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'a.txt': 'solved\n' });
  const changes = await workspace.changes.observe(byBash);
  expect(changes.map(({ path: at, kind, after }) => ({ at, kind, after }))).toEqual([
    { at: 'a.txt', kind: 'modify', after: sha256('solved\n') },
  ]);
  expect(git(place.root, 'ls-files', '--unmerged')).not.toBe('');
});

test('an edit of the same length in the same second as the index is recognised', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const file = path.join(place.root, 'a.txt');
  const second = Math.floor(Date.now() / 1000) - 10;
  utimesSync(file, second, second);
  git(place.root, 'update-index', '--refresh');
  // Git compares times by second. This setting makes it ignore the change time.
  git(place.root, 'config', 'core.trustctime', 'false');
  put(place.root, { 'a.txt': 'two\n' });
  utimesSync(file, second, second);
  utimesSync(path.join(place.root, '.git/index'), second, second);
  const workspace = await place.open();
  const directory = (await workspace.agentGitDirectory()) ?? '';
  git(place.root, '--git-dir', directory, 'config', 'core.trustctime', 'false');
  expect(git(place.root, '--git-dir', directory, '--work-tree', place.root, 'diff', '--name-only')).toBe(
    'a.txt',
  );
});

test('a submodule stays at its commit, and its settings are not used', async () => {
  const proof = path.join(place.base, 'ran');
  repository(path.join(place.base, 'library'), { 'lib.txt': 'lib\n' });
  repository(place.root, { 'a.txt': 'one\n' });
  git(place.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'sub');
  git(place.root, 'commit', '-q', '-m', 'Add a submodule');
  git(path.join(place.root, 'sub'), 'config', 'core.fsmonitor', `touch ${proof}`);
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'sub/lib.txt': 'changed\n', 'a.txt': 'two\n' });
  const { files } = await workspace.finalChanges();
  expect([files.map(({ path: at }) => at), existsSync(proof)]).toEqual([['a.txt'], false]);
});

test('no filter, hook or fsmonitor of a hostile tree or nested repository is run', async () => {
  const proof = path.join(place.base, 'ran');
  const evil = `touch ${proof}`;
  repository(place.root, { 'a.txt': 'one\n', '.gitattributes': '* filter=evil diff=evil\n' });
  for (const folder of [place.root, path.join(place.root, 'sub')]) {
    if (folder !== place.root) repository(folder, { 'inner.txt': 'inner\n' });
    git(folder, 'config', 'core.fsmonitor', evil);
    git(folder, 'config', 'filter.evil.clean', `${evil}; cat`);
    git(folder, 'config', 'filter.evil.smudge', `${evil}; cat`);
    git(folder, 'config', 'diff.evil.textconv', evil);
    git(folder, 'config', 'diff.external', evil);
    put(folder, { '.git/hooks/post-index-change': `#!/bin/sh\n${evil}\n` });
    chmodSync(path.join(folder, '.git/hooks/post-index-change'), 0o755);
  }
  rmSync(proof, { force: true });
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'a.txt': 'two\n', 'sub/inner.txt': 'changed\n', 'sub/.git/info/x': 'x' });
  git(place.root, 'init', '-q', 'unborn');
  put(place.root, { 'unborn/file.txt': 'file\n' });
  const { files } = await workspace.finalChanges();
  expect(existsSync(proof)).toBe(false);
  expect(files.map(({ path: at, kind }) => ({ at, kind }))).toEqual([
    { at: 'a.txt', kind: 'modify' },
    { at: 'sub/inner.txt', kind: 'modify' },
    { at: 'unborn/file.txt', kind: 'add' },
  ]);
});
