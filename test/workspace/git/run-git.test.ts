import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitEnvironment } from '../../../src/workspace/git/git-environment.ts';
import { makeAgentGit, makeOwnGit } from '../../../src/workspace/git/own-git.ts';
import { gitLine, locationVariables, runGit } from '../../../src/workspace/git/run-git.ts';
import { git, repository, temporaryFolder } from '../repository.ts';

let root: string;
beforeEach(() => {
  root = path.join(temporaryFolder('git'), 'tree');
  repository(root, { 'a.txt': 'a\n' });
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

test('git inherits nothing of our environment', async () => {
  process.env.GIT_DIR = '/nowhere';
  process.env.ANODE_TEST_KEY = 'sk-secret';
  try {
    const printed = await gitLine(['-c', 'alias.printed=!env', 'printed'], { cwd: root });
    expect(printed).toContain('GIT_TERMINAL_PROMPT=0');
    expect(printed).not.toContain('sk-secret');
    expect(printed).not.toContain('/nowhere');
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.ANODE_TEST_KEY;
  }
});

test('the token is a header only for the origin of the remote, and never for a local path', () => {
  const pairs = (environment: Record<string, string>) =>
    Object.entries(environment)
      .filter(([name]) => name.startsWith('GIT_CONFIG_KEY_'))
      .map(([name, key]) => [key, environment[name.replace('KEY', 'VALUE')]])
      .filter(([key]) => key?.startsWith('http.https'));
  const basic = Buffer.from('x-access-token:t0ken').toString('base64');
  expect(
    pairs(gitEnvironment({ url: 'https://ghe.example.com:8443/acme/shop.git', token: 't0ken' })),
  ).toEqual([['http.https://ghe.example.com:8443/.extraHeader', `Authorization: Basic ${basic}`]]);
  expect(pairs(gitEnvironment({ url: '/srv/shop.git', token: 't0ken' }))).toEqual([]);
  expect(gitEnvironment()).toEqual(gitEnvironment({ url: 'https://github.com/a/b.git', token: null }));
});

test("an unexpected exit code is an error with the command and git's message", async () => {
  await expect(runGit(['rev-parse', '--verify', 'none'], { cwd: root })).rejects.toThrow(
    'git rev-parse --verify none ended with 128: fatal: Needed a single revision',
  );
  const accepted = await runGit(['rev-parse', '--verify', '--quiet', 'none'], { cwd: root, accept: [1] });
  expect({ ...accepted, stdout: accepted.stdout.toString() }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: '',
  });
});

test('the tree of the index comes before the output, and nothing in its place for one in conflict', async () => {
  const location = { cwd: root, gitDirectory: path.join(root, '.git'), workTree: root };
  const listed = async () => {
    const { stdout } = await runGit(['ls-files'], { ...location, treeFirst: true });
    return stdout.toString();
  };
  const tree = git(root, 'rev-parse', 'HEAD^{tree}');
  const whole = await listed();
  const blob = git(root, 'rev-parse', 'HEAD:a.txt');
  const stages = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\ta.txt\n`).join('');
  await runGit(['update-index', '--index-info'], {
    ...location,
    stdin: `0 ${'0'.repeat(40)}\ta.txt\n${stages}`,
  });
  expect([whole, await listed()]).toEqual([`${tree}\n\0a.txt\n`, '\0a.txt\na.txt\na.txt\n']);
});

test('no program that a repository names is started by reading it', async () => {
  const proof = path.join(root, '..', 'proof');
  const evil = path.join(root, '..', 'evil');
  writeFileSync(evil, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  const names = ['core.fsmonitor', 'core.askPass', 'core.pager', 'credential.helper', 'core.sshCommand'];
  for (const name of names) await runGit(['config', name, evil], { cwd: root });
  cpSync(evil, path.join(root, '.git/hooks/post-index-change'));
  writeFileSync(path.join(root, 'a.txt'), 'changed\n');
  for (const args of [['status'], ['add', 'a.txt'], ['-p', 'log']]) await runGit(args, { cwd: root });
  expect(existsSync(proof)).toBe(false);
});

test('a location becomes variables for the git directory, work tree and index', () => {
  expect([
    locationVariables({ cwd: '/c' }),
    locationVariables({ cwd: '/c', gitDirectory: '/g', workTree: '/w', indexFile: '/i' }),
  ]).toEqual([{}, { GIT_DIR: '/g', GIT_WORK_TREE: '/w', GIT_INDEX_FILE: '/i' }]);
});

test('git gets input, variables and a lock, and its output is whole or in pieces', async () => {
  const environment = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'a@b.test' };
  const pieces: Buffer[] = [];
  const lockFile = path.join(root, '../lock');
  const one = { cwd: root, onOutput: (chunk: Buffer) => void pieces.push(chunk) };
  const piecewise = await runGit(['hash-object', '--stdin'], { ...one, stdin: 'one\n' });
  expect([
    await gitLine(['hash-object', '--stdin'], { cwd: root, stdin: Buffer.from('one\n'), lockFile }),
    { ...piecewise, stdout: String(piecewise.stdout), pieces: String(Buffer.concat(pieces)) },
    (await gitLine(['var', 'GIT_AUTHOR_IDENT'], { cwd: root, environment })).slice(0, 14),
    existsSync(lockFile),
    (await gitLine(['--version'], { cwd: root, stdin: 'x'.repeat(1_000_000) })).slice(0, 11),
  ]).toEqual([
    '5626abf0f72e58d7a153368ba57db4c673c0e171',
    { exitCode: 0, stdout: '', stderr: '', pieces: '5626abf0f72e58d7a153368ba57db4c673c0e171\n' },
    ...['Ada <a@b.test>', true, 'git version'],
  ]);
});

test('a git that is killed or aborted rejects with the reason', async () => {
  const killed = ['-c', 'alias.killed=!kill -9 $PPID', 'killed'];
  await expect(runGit(killed, { cwd: root, accept: [0] })).rejects.toThrow(
    new Error(`git ${killed.join(' ')} ended with a signal: `),
  );
  const reason = new Error('The run was cancelled.');
  const ending = new AbortController();
  const running = runGit(['-c', 'alias.waiting=!echo; exec sleep 60', 'waiting'], {
    ...{ cwd: root, signal: ending.signal, onOutput: () => ending.abort(reason) },
  });
  await expect(running).rejects.toBe(reason);
  const { signal } = new AbortController();
  await expect(runGit(['status'], { cwd: '/nowhere', signal })).rejects.toMatchObject({ code: 'ENOENT' });
});

test("our own git directory has the repository's commit and object format", async () => {
  const heads: string[] = [];
  const formats: string[] = [];
  const made = (name: string) => path.join(root, '..', name);
  const look = (name: string) => {
    heads.push(readFileSync(made(`${name}/HEAD`), 'utf8').trim());
    formats.push(/objectformat = (\w+)/.exec(readFileSync(made(`${name}/config`), 'utf8'))?.[1] ?? 'none');
  };
  const long = made('long');
  mkdirSync(long);
  git(long, 'init', '-q', '-b', 'work', '--object-format=sha256');
  const layout = (folder: string) => ({
    directory: path.join(folder, '.git'),
    common: path.join(folder, '.git'),
  });
  const unborn = makeOwnGit(layout(long), made('unborn.git'));
  await makeAgentGit(layout(long), made('unborn-agent.git'));
  git(long, 'commit', '-q', '--allow-empty', '-m', 'x');
  makeOwnGit(layout(long), made('long.git'));
  await makeAgentGit(layout(long), made('long-agent.git'));
  makeOwnGit(layout(root), made('short.git'));
  await makeAgentGit(layout(root), made('short-agent.git'));
  git(long, 'checkout', '-q', '--detach');
  await makeAgentGit(layout(long), made('detached-agent.git'));
  writeFileSync(path.join(root, '.git/HEAD'), 'nothing');
  await makeAgentGit(layout(root), made('broken-agent.git'));
  makeOwnGit(null, made('none.git'));
  const own = ['unborn', 'long', 'short', 'none'].map((name) => `${name}.git`);
  for (const name of [
    ...own,
    ...['unborn', 'long', 'short', 'detached', 'broken'].map((one) => `${one}-agent.git`),
  ])
    look(name);
  const longSha = git(long, 'rev-parse', 'HEAD');
  const shortSha = readFileSync(path.join(root, '.git/refs/heads/main'), 'utf8').trim();
  expect([unborn, heads, formats]).toEqual([
    { cwd: path.resolve(root, '..'), gitDirectory: made('unborn.git') },
    [
      ...['ref: refs/heads/main', longSha, shortSha, 'ref: refs/heads/main'],
      ...[
        'ref: refs/heads/work',
        'ref: refs/heads/work',
        'ref: refs/heads/main',
        longSha,
        'ref: refs/heads/main',
      ],
    ],
    ['none', 'sha256', 'none', 'none', 'none', 'sha256', 'none', 'sha256', 'none'],
  ]);
});

test('a git that hangs is killed at its deadline', async () => {
  const fifo = path.join(root, '.gitignore');
  execFileSync('mkfifo', [fifo]);
  const listing = ['ls-files', '--others', '--exclude-standard'];
  await expect(runGit(listing, { cwd: root, deadlineMs: 200 })).rejects.toThrow(
    'git ls-files --others --exclude-standard was ended after 200 milliseconds',
  );
});

test('git may allocate at most 3 GiB of memory', async () => {
  const limits = ['-c', "alias.limits=!grep 'Max data' /proc/self/limits", 'limits'];
  expect((await gitLine(limits, { cwd: root })).split(/ {2,}/)[1]).toBe(String(3 * 2 ** 30));
});
