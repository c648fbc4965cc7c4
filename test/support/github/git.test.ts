import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gitEnvironment } from './git/git.ts';
import { loadApi } from './protocol/api.ts';
import { refusalOf, samplePath, shop, startShop } from './shop.ts';
import type { Permissions } from './world.ts';

const run = promisify(execFile);
const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;
let folder: string;

beforeEach(async () => {
  world = await startShop({ api });
  folder = await mkdtemp(join(tmpdir(), 'clone-'));
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  await rm(folder, { recursive: true, force: true });
  expect(problems).toEqual([]);
});

const identity = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com'];

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', [...identity, ...args], { cwd: folder, env: { ...gitEnvironment } });
  return stdout.trim();
}

function remote(permissions: Permissions): string {
  const token = world.github.createToken({ actor: 'anode[bot]', permissions });
  return world.repository.cloneUrl.replace('://', `://x-access-token:${token}@`);
}

async function cloneAndCommit(url: string, path: string): Promise<string> {
  await git('clone', '--quiet', '--branch', 'fix', url, '.');
  await git('sparse-checkout', 'disable');
  const file = join(folder, path);
  await run('mkdir', ['-p', join(file, '..')]);
  await writeFile(file, 'pushed\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Push a file');
  return git('rev-parse', 'HEAD');
}

it('a push to the branch of a pull request moves it and is delivered as push and synchronize', async () => {
  const { github, repository, pull } = world;
  const sha = await cloneAndCommit(remote({ contents: 'write' }), 'pushed.txt');
  await git('push', '--quiet', 'origin', 'fix');
  expect([await repository.head('fix'), await repository.git('rev-parse', 'refs/pull/2/head')]).toEqual([
    sha,
    sha,
  ]);
  expect(repository.pulls().map(({ headSha }) => headSha)).toEqual([sha]);
  const synchronize = github.lastEventPayload('pull_request', 'synchronize');
  const push = github.lastEventPayload('push');
  expect([synchronize.before, synchronize.after, push.ref, push.forced, push.commits]).toEqual([
    pull.headSha,
    sha,
    'refs/heads/fix',
    false,
    [
      expect.objectContaining({
        id: sha,
        message: 'Push a file',
        added: ['pushed.txt'],
        removed: [],
        modified: [],
      }),
    ],
  ]);
  const pushed = github.requests.filter(
    ({ kind, path }) => kind === 'git' && path.endsWith('git-receive-pack'),
  );
  expect(pushed.map(({ status, actor }) => ({ status, actor }))).toEqual([
    { status: 200, actor: 'anode[bot]' },
  ]);
});

it('a push without contents:write is refused, and so is one without an account', async () => {
  const before = await world.repository.head('fix');
  await cloneAndCommit(remote({ contents: 'read' }), 'pushed.txt');
  await expect(git('push', 'origin', 'fix')).rejects.toThrow('The requested URL returned error: 403');
  await expect(git('push', world.repository.cloneUrl, 'fix')).rejects.toThrow('could not read Username');
  expect(await world.repository.head('fix')).toBe(before);
});

it('a push that touches a workflow needs the workflows permission', async () => {
  const path = '.github/workflows/check.yml';
  const sha = await cloneAndCommit(remote({ contents: 'write' }), path);
  await expect(git('push', 'origin', 'fix')).rejects.toThrow(
    `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`,
  );
  await git('push', '--quiet', remote({ contents: 'write', workflows: 'write' }), 'fix');
  expect(await world.repository.head('fix')).toBe(sha);
});

it('a push to refs/pull is refused', async () => {
  await cloneAndCommit(remote({ contents: 'write' }), 'pushed.txt');
  await expect(git('push', 'origin', 'HEAD:refs/pull/2/head')).rejects.toThrow('deny updating a hidden ref');
});

it('a private repository is unknown without a token and can be cloned with one', async () => {
  const secret = await world.github.createRepository('acme/secret', {
    private: true,
    files: { 'key.txt': 'k\n' },
  });
  await expect(git('clone', secret.cloneUrl, '.')).rejects.toThrow('could not read Username');
  const token = world.github.createToken({ actor: 'acme' });
  await git('clone', '--quiet', secret.cloneUrl.replace('://', `://x-access-token:${token}@`), '.');
  expect(await readFile(join(folder, 'key.txt'), 'utf8')).toBe('k\n');
});

it('blobs, trees, commits and refs are created by the API and read back by git', async () => {
  const { bot, repository } = world;
  const head = String(await repository.head('main'));
  const blob = await bot.git.createBlob({
    ...shop,
    content: Buffer.from('new\n').toString('base64'),
    encoding: 'base64',
  });
  const tree = await bot.git.createTree({
    ...shop,
    base_tree: head,
    tree: [
      { path: 'run.sh', mode: '100755', type: 'blob', sha: blob.data.sha },
      { path: 'README.md', mode: '100644', type: 'blob', sha: null },
    ],
  });
  const commit = await bot.git.createCommit({
    ...shop,
    message: 'Made by hand',
    tree: tree.data.sha,
    parents: [head],
  });
  const ref = { ...shop, ref: 'refs/heads/made', sha: commit.data.sha };
  await bot.git.createRef(ref);
  expect(await repository.git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'made')).toBe(
    `100755 run.sh\n100644 ${samplePath}`,
  );
  const file = await bot.repos.getContent({
    ...shop,
    path: 'run.sh',
    ref: 'made',
    mediaType: { format: 'raw' },
  });
  const duplicate = await refusalOf(bot.git.createRef(ref));
  const backwards = await refusalOf(bot.git.updateRef({ ...shop, ref: 'heads/made', sha: head }));
  await bot.git.updateRef({ ...shop, ref: 'heads/made', sha: head, force: true });
  const compared = await bot.repos.compareCommitsWithBasehead({ ...shop, basehead: 'main...fix' });
  await bot.git.deleteRef({ ...shop, ref: 'heads/made' });
  expect([file.data, duplicate, backwards, compared.data.status, await repository.head('made')]).toEqual([
    'new\n',
    { status: 422, message: 'Reference already exists' },
    { status: 422, message: 'Update is not a fast forward' },
    'ahead',
    null,
  ]);
});

it('contents, branches and commits are read from git', async () => {
  const { bot, repository } = world;
  const root = await bot.repos.getContent({ ...shop, path: '' });
  const readme = await bot.repos.getContent({ ...shop, path: 'README.md' });
  const branch = await bot.repos.getBranch({ ...shop, branch: 'fix' });
  const commits = await bot.repos.listCommits({ ...shop, sha: 'fix', path: samplePath });
  const one = await bot.repos.getCommit({ ...shop, ref: 'fix' });
  const missing = await refusalOf(bot.repos.getContent({ ...shop, path: 'gone.txt' }));
  expect({
    root: Array.isArray(root.data) ? root.data.map(({ path, type }) => `${type} ${path}`) : null,
    readme: 'content' in readme.data ? Buffer.from(readme.data.content, 'base64').toString() : null,
    branch: branch.data.commit.sha,
    commits: commits.data.map(({ commit }) => commit.message),
    files: one.data.files?.map(({ filename, changes }) => [filename, changes]),
    missing,
  }).toEqual({
    root: ['file README.md', 'dir src'],
    readme: '# Shop\n',
    branch: await repository.head('fix'),
    commits: ['Name the line', 'Start'],
    files: [[samplePath, 2]],
    missing: { status: 404, message: 'Not Found' },
  });
});
