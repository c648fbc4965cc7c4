import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitEnvironment } from '../../src/workspace/git-environment.ts';
import { gitLine, runGit } from '../../src/workspace/run-git.ts';
import { repository, temporaryFolder } from './repository.ts';

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

test('the token is a header for the origin of the remote alone, and for a local path there is none', () => {
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

test('an exit code nobody asked for is an error with the command and the words of git', async () => {
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

test('no program that a repository names is started by a look at it', async () => {
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
