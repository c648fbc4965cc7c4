import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checksums, commitTree, makeReleaseTree, treeBytes } from '../../scripts/release-tree.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { programsForAnyUser } from '../support/shared/for-any-user.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { runnerCheckout } from '../uses/support/runner-checkout.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

/** Nobody: a user without a home, and without rights to this project's files. */
const nobody = 65_534;
const asRoot = process.getuid?.() === 0;

let job: Job;
let shop: RepositoryHandle;
let folder: string;
/** The tag alone, as a runner downloads it. */
let released: string;

const git = async (at: string, ...words: readonly string[]) =>
  (await promisify(execFile)('git', ['-C', at, ...words])).stdout.trim();

beforeAll(async () => {
  if (!existsSync('action/dist/index.js')) throw new Error('The Action is not built. Run: npm run build');
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'colour.ts': 'export function colour() {\n  return "red";\n}\n' },
  });
  shop.setPermission('ada', 'write');
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-release-'));
  await chmod(folder, 0o755);
  const [tree, origin] = [path.join(folder, 'tree'), path.join(folder, 'origin')];
  released = path.join(folder, 'released');
  await mkdir(tree);
  await mkdir(origin);
  await makeReleaseTree(tree);
  await git(origin, 'init', '-q', '-b', 'main');
  await git(origin, 'config', 'user.name', 'release');
  await git(origin, 'config', 'user.email', 'release@example.com');
  await writeFile(path.join(origin, 'source.ts'), 'export {};\n');
  await git(origin, 'add', '.');
  await git(origin, 'commit', '-q', '-m', 'Sources');
  await git(origin, 'tag', 'v1.0.0', await commitTree(origin, tree, 'Release 1.0.0'));
  await promisify(execFile)('git', [
    ...['clone', '-q', '--depth', '1', '--branch', 'v1.0.0', `file://${origin}`, released],
    ...['-c', 'advice.detachedHead=false'],
  ]);
});
afterAll(async () => {
  await job.close();
  await rm(folder, { recursive: true, force: true });
});

interface Metadata {
  readonly runs: { readonly main: string; readonly post: string };
}
const metadata = async (file: string) => parse(await readFile(path.join(released, file), 'utf8')) as Metadata;

test('the tag contains the Action, but no sources and only its own packages', async () => {
  const names = (await git(released, 'ls-files')).split('\n');
  const outside = names.filter((name) => !name.startsWith('action/dist/'));
  const packages = new Set(
    names.flatMap((name) => /^action\/dist\/node_modules\/(@[^/]+\/[^/]+)/.exec(name)?.[1] ?? []),
  );
  expect({
    outside,
    packages: [...packages].sort(),
    untracked: await git(released, 'status', '--short'),
    listed: (await checksums(path.join(folder, 'tree'))).trimEnd().split('\n').length,
  }).toEqual({
    outside: ['LICENSE', 'action.yml', 'action/action.yml'],
    packages: [
      '@vscode/ripgrep',
      '@vscode/ripgrep-linux-arm64',
      '@vscode/ripgrep-linux-x64',
      '@vscode/tree-sitter-wasm',
    ],
    untracked: '',
    listed: names.length,
  });
  const [page = '', megabytes = ''] =
    /a tag has (\d+) MB/.exec(await readFile('docs/action.md', 'utf8')) ?? [];
  const bytes = await treeBytes(path.join(folder, 'tree'));
  expect([page, Math.abs(bytes / 1e6 - Number(megabytes)) < 2, bytes]).toEqual([
    expect.stringContaining('MB'),
    true,
    expect.any(Number),
  ]);
});

test('the Action at the root of the tag equals the one in its folder', async () => {
  const [atRoot, inFolder] = await Promise.all(['action.yml', 'action/action.yml'].map(metadata));
  const { main, post } = inFolder?.runs ?? { main: '', post: '' };
  expect(atRoot).toEqual({
    ...inFolder,
    runs: { ...inFolder?.runs, main: `action/${main}`, post: `action/${post}` },
  });
  expect([main, post].map((file) => existsSync(path.join(released, 'action', file)))).toEqual([true, true]);
});

test('the tag runs as an ordinary user, without packages, Git identity or registry', async () => {
  const { runs } = await metadata('action.yml');
  await shop.commit('topic', { files: { 'b.txt': 'b\n' }, message: 'Topic', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const said: string[] = [];
  job.learn('look around', (turn, request) => {
    if (turn > 1) said.push(lastResults(request));
    if (turn === 1) return { calls: [call('grep', { pattern: 'red' })] };
    if (turn === 2) return { calls: [call('code_search', { query: 'colour' })] };
    if (turn === 3)
      return { calls: [call('edit_file', { path: 'colour.ts', old_str: 'red', new_str: 'blue' })] };
    return { text: 'It is blue.' };
  });
  shop.comment(number, { author: 'ada', body: '@anode look around' });
  const programs = await programsForAnyUser();
  const { code, outputs, stderr } = await job.run(shop, {
    ...{ event: 'issue_comment', actor: 'ada', inputs: {} },
    program: path.join(released, runs.main),
    node: path.join(programs, 'node'),
    ...(asRoot ? { user: nobody } : {}),
    checkout: (at) => runnerCheckout(shop, at, { pull: number }),
    environment: { PATH: '/usr/bin:/bin', npm_config_registry: 'http://127.0.0.1:9' },
  });
  expect({ code, stderr, conclusion: outputs.conclusion, branch: outputs.branch_name, said }).toEqual({
    ...{ code: 0, stderr: '', conclusion: 'success', branch: 'topic' },
    said: [
      expect.stringContaining('colour.ts:2:'),
      expect.stringContaining('function colour'),
      expect.stringContaining('colour.ts'),
    ],
  });
});

test('the end of the job succeeds and does nothing if nothing was prepared', async () => {
  const { runs } = await metadata('action.yml');
  const post = [path.join(released, runs.post)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, post, { env: {} });
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
