import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Checkout, checkoutRun } from '../../../src/workspace/git/checkout.ts';
import { diffBetween } from '../../../src/workspace/git/diff-between.ts';
import { applySavedPatch } from '../../../src/workspace/git/patched-tree.ts';
import { pushCommit } from '../../../src/workspace/git/push-commit.ts';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
import { type GitServer, gitServer } from '../git-server.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

const token = 'ghs_S3cretInstallationToken';
const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
const person = { name: 'anode-ci[bot]', email: 'bot@example.com' };
const by = { tool: 'edit_file', callId: 'call_1' };

let base: string;
let origin: string;
let server: GitServer;
let baseSha: string;
let headSha: string;
let runs = 0;

beforeAll(async () => {
  base = temporaryFolder('checkout');
  const work = path.join(base, 'work');
  repository(work, {
    'a.txt': 'one\n',
    'old.txt': 'a line\nanother line\na third line\n',
    '.gitattributes': '*.txt filter=lfs\n',
  });
  git(work, 'switch', '-q', '-c', 'feature');
  git(work, 'mv', 'old.txt', 'renamed.txt');
  put(work, { 'a.txt': 'two\n' });
  git(work, 'commit', '-q', '-am', 'Change');
  headSha = git(work, 'rev-parse', 'HEAD');
  git(work, 'switch', '-q', 'main');
  put(work, { 'elsewhere.txt': 'on main since\n' });
  git(work, 'add', '-A');
  git(work, 'commit', '-q', '-m', 'Go on');
  baseSha = git(work, 'rev-parse', 'HEAD');
  origin = path.join(base, 'served/acme/shop.git');
  mkdirSync(path.dirname(origin), { recursive: true });
  git(base, 'clone', '-q', '--bare', work, origin);
  git(origin, 'update-ref', 'refs/pull/7/head', headSha);
  git(origin, 'config', 'http.receivepack', 'true');
  git(origin, 'config', 'uploadpack.allowReachableSHA1InWant', 'true');
  server = await gitServer(path.join(base, 'served'), token);
});
afterAll(async () => {
  await server.close();
  rmSync(base, { recursive: true, force: true });
});

const remote = () => ({ url: `${server.url}/acme/shop.git`, token });

function checkout(over: Partial<Parameters<typeof checkoutRun>[0]> = {}): Promise<Checkout> {
  runs += 1;
  return checkoutRun({
    remote: remote(),
    ref: 'refs/pull/7/head',
    sha: headSha,
    baseRef: 'refs/heads/main',
    baseSha,
    folder: path.join(base, `run-${runs}`),
    mirrorFolder: path.join(base, 'mirrors'),
    ...over,
  });
}

/** Files below a folder that contain the text uncompressed. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').includes(text));
}

test('checks out exactly the head of a pull request, clean and with its base', async () => {
  const { root, git: own } = await checkout();
  expect(readdirSync(root).sort()).toEqual(['.git', '.gitattributes', 'a.txt', 'renamed.txt']);
  expect(git(root, 'status', '--short', '--branch')).toBe('## pull/7/head');
  expect(git(root, 'rev-parse', 'HEAD', 'origin/main')).toBe(`${headSha}\n${baseSha}`);
  expect(git(root, 'remote')).toBe('');
  expect(statSync(path.join(root, '.git')).isDirectory()).toBe(true);
  expect(existsSync(path.join(root, '.git/hooks'))).toBe(false);
  expect(own.gitDirectory.startsWith(root)).toBe(false);
});

test('the base in the checkout is a newer head where one is given', async () => {
  const later = git(origin, 'commit-tree', `${baseSha}^{tree}`, '-p', baseSha, '-m', 'Later');
  git(origin, 'update-ref', 'refs/heads/main', later);
  const { root } = await checkout({ baseHead: later });
  git(origin, 'update-ref', 'refs/heads/main', baseSha);
  expect(git(root, 'rev-parse', 'HEAD', 'origin/main')).toBe(`${headSha}\n${later}`);
});

test('the diff starts at the merge base and finds renames', async () => {
  const { git: own } = await checkout();
  const diff = await diffBetween(own, baseSha, headSha);
  expect(diff.split('\n').filter((line) => /^(diff|rename|[-+])/.test(line))).toEqual([
    'diff --git a/a.txt b/a.txt',
    '--- a/a.txt',
    '+++ b/a.txt',
    '-one',
    '+two',
    'diff --git a/old.txt b/renamed.txt',
    'rename from old.txt',
    'rename to renamed.txt',
  ]);
});

test('the token is sent only to its host, and is in no file and on no command line', async () => {
  const before = server.requests.length;
  const folder = path.join(base, 'spied');
  const { root } = await checkout({ folder, mirrorFolder: path.join(base, 'spied-mirrors') });
  const asked = server.requests.slice(before);
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${basic}`]));
  const commandLines = asked.flatMap(({ running }) => running);
  expect(commandLines.filter((line) => line.includes('git-remote-http')).length).toBeGreaterThan(0);
  expect(commandLines.filter((line) => line.includes(token) || line.includes(basic))).toEqual([]);
  for (const secret of [token, basic]) {
    expect(filesWith(folder, secret)).toEqual([]);
    expect(filesWith(path.join(base, 'spied-mirrors'), secret)).toEqual([]);
  }
  expect(git(root, 'config', '--list', '--local')).not.toMatch(/extraheader|url/i);
});

test('a redirect is not followed, so no other host gets the token', async () => {
  const moved = { url: `${server.url}/moved/acme/shop.git`, token };
  await expect(checkout({ remote: moved })).rejects.toThrow(/git fetch .* ended with 128/);
});

test('a wrong token fails immediately instead of asking', async () => {
  const wrong = { url: `${server.url}/acme/shop.git?`, token: 'wrong' };
  await expect(checkout({ remote: wrong })).rejects.toThrow(/git fetch .* ended with 128/);
});

test('a commit no longer on its ref is fetched, and a missing one cancels the run', async () => {
  const old = git(origin, 'rev-parse', 'refs/heads/main~1');
  const { root } = await checkout({ ref: 'refs/heads/main', sha: old, baseRef: null, baseSha: null });
  expect(git(root, 'rev-parse', 'HEAD')).toBe(old);
  await expect(checkout({ sha: 'f'.repeat(40) })).rejects.toMatchObject({
    name: 'RunStopped',
    reason: { kind: 'cancelled' },
  });
});

test('an aborted checkout rejects with the reason of the abort', async () => {
  const reason = new Error('The run was cancelled.');
  const mirrorFolder = path.join(base, 'mirrors-aborted');
  await expect(checkout({ mirrorFolder, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a short or hostile name of a ref or commit is refused', async () => {
  await expect(checkout({ ref: '--upload-pack=x' })).rejects.toThrow('Not the full name of a ref');
  await expect(checkout({ sha: 'HEAD' })).rejects.toThrow('Not the full name of a commit');
});

test('several runs fetch into a new mirror at once', async () => {
  const mirrorFolder = path.join(base, 'mirrors-at-once');
  const checkouts = await Promise.all([checkout({ mirrorFolder }), checkout({ mirrorFolder })]);
  expect(checkouts.map(({ root }) => git(root, 'rev-parse', 'HEAD'))).toEqual([headSha, headSha]);
  expect(readdirSync(mirrorFolder).filter((name) => name.endsWith('.git'))).toHaveLength(1);
});

test("removing deletes the run's folders, even locked ones, and leaves the mirror", async () => {
  const { root, git: own, remove } = await checkout();
  put(root, { 'locked/file': 'x' });
  chmodSync(path.join(root, 'locked'), 0o000);
  await remove();
  expect([existsSync(root), existsSync(own.gitDirectory)]).toEqual([false, false]);
  expect(readdirSync(path.join(base, 'mirrors')).length).toBeGreaterThan(0);
});

test('pushes the changes as one commit, and a second push reports a moved branch', async () => {
  const { root, git: own } = await checkout();
  const runFolder = path.join(base, 'run-push');
  mkdirSync(path.join(runFolder, 'spill'), { recursive: true });
  const workspace = await openWorkspace({ root, runFolder, spillFolder: path.join(runFolder, 'spill') });
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('three\n') }], by);
  // A commit by the agent does not reach our git directory.
  git(root, 'commit', '-q', '-am', 'By the agent');
  const { patch } = await workspace.finalChanges();
  const order = {
    git: own,
    remote: remote(),
    branch: 'feature',
    expectedSha: headSha,
    patch,
    message: 'Fix it\n\nCo-authored-by: Ada <ada@example.com>\n',
    author: person,
    committer: person,
  };
  const pushed = await pushCommit(order);
  if (pushed === 'moved') throw new Error('The branch had not moved.');
  expect(git(origin, 'log', '-1', '--format=%H|%P|%an|%ce|%B', 'feature')).toBe(
    `${pushed.sha}|${headSha}|anode-ci[bot]|bot@example.com|Fix it\n\nCo-authored-by: Ada <ada@example.com>`,
  );
  expect(git(origin, 'show', '--format=', '--name-status', 'feature')).toBe('M\ta.txt');
  expect(await pushCommit(order)).toBe('moved');
  expect(git(origin, 'rev-parse', 'feature')).toBe(pushed.sha);
  const made = await pushCommit({ ...order, branch: 'anode/new' });
  expect(made).toEqual({ sha: git(origin, 'rev-parse', 'anode/new') });
});

test("a rejected push to an unmoved branch is an error with the server's message", async () => {
  const { git: own } = await checkout();
  put(origin, { 'hooks/pre-receive': '#!/bin/sh\necho "the branch is protected" >&2\nexit 1\n' });
  chmodSync(path.join(origin, 'hooks/pre-receive'), 0o755);
  const patch =
    'diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n';
  const order = {
    git: own,
    remote: remote(),
    expectedSha: baseSha,
    patch,
    message: 'm',
    author: person,
    committer: person,
  };
  await expect(pushCommit({ ...order, branch: 'main' })).rejects.toThrow('the branch is protected');
  await expect(pushCommit({ ...order, branch: 'a..b' })).rejects.toThrow('Not a name for a branch: a..b');
  rmSync(path.join(origin, 'hooks/pre-receive'));
});

test('a stored patch is applied to a fresh checkout completely or not at all', async () => {
  const first = await checkout();
  const runFolder = path.join(base, 'run-patch');
  mkdirSync(path.join(runFolder, 'spill'), { recursive: true });
  const workspace = await openWorkspace({
    root: first.root,
    runFolder,
    spillFolder: path.join(runFolder, 'spill'),
  });
  await workspace.baseline();
  put(first.root, { 'a.txt': 'three\n', 'bin.dat': Buffer.from([0, 1, 2]) });
  const { patch } = await workspace.finalChanges();
  const second = await checkout();
  expect(await applySavedPatch(second.git, second.root, patch)).toBe(true);
  expect(readFileSync(path.join(second.root, 'bin.dat'))).toEqual(Buffer.from([0, 1, 2]));
  const third = await checkout();
  put(third.root, { 'a.txt': 'something else\n' });
  expect(await applySavedPatch(third.git, third.root, patch)).toBe(false);
  expect(existsSync(path.join(third.root, 'bin.dat'))).toBe(false);
  const escaping = patch.replaceAll('a.txt', '../escaped.txt');
  expect(await applySavedPatch(third.git, third.root, escaping)).toBe(false);
  expect(existsSync(path.join(third.root, '../escaped.txt'))).toBe(false);
});
