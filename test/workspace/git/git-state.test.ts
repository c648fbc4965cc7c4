import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitState } from '../../../src/workspace/git/git-state.ts';

let root: string;
let own: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: root });
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'anode-state-'));
  own = mkdtempSync(path.join(os.tmpdir(), 'anode-own-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(own, { recursive: true });
});

describe('gitState', () => {
  it('is null without a repository', async () => {
    expect(await gitState(root, path.join(own, 'a'))).toBeNull();
  });

  it('returns the branch and the changed files, without our own folder', async () => {
    git('init', '-q', '-b', 'work');
    writeFileSync(path.join(root, 'a.txt'), 'a\n');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    writeFileSync(path.join(root, 'a.txt'), 'b\n');
    writeFileSync(path.join(root, 'new.txt'), '');
    mkdirSync(path.join(root, '.anode-harness'));
    writeFileSync(path.join(root, '.anode-harness', 'x'), '');
    expect(await gitState(root, path.join(own, 'a'))).toEqual({
      branch: 'work',
      status: [' M a.txt', '?? new.txt'],
      untrackedListed: true,
    });
    git('checkout', '-q', '--detach');
    expect((await gitState(root, path.join(own, 'b')))?.branch).toBeNull();
  });

  it('starts no program that the repository names', async () => {
    git('init', '-q', '-b', 'work');
    writeFileSync(path.join(root, '.gitattributes'), '*.txt filter=hostile\n');
    writeFileSync(path.join(root, 'a.txt'), 'a\n');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    git('config', 'filter.hostile.clean', `touch ${path.join(own, 'ran')}; cat`);
    writeFileSync(path.join(root, 'a.txt'), 'b\n');
    expect(await gitState(root, path.join(own, 'a'))).toEqual({
      branch: 'work',
      status: [' M a.txt'],
      untrackedListed: true,
    });
    expect(existsSync(path.join(own, 'ran'))).toBe(false);
  });

  it('omits untracked files in a repository with many files', async () => {
    git('init', '-q', '-b', 'work');
    writeFileSync(path.join(root, 'a.txt'), 'a\n');
    git('add', '.');
    const object = git('rev-parse', ':a.txt').toString().trim();
    const entries = Array.from({ length: 10_000 }, (_, index) => `100644 ${object}\tmany/${index}`);
    execFileSync('git', ['update-index', '--index-info'], { cwd: root, input: `${entries.join('\n')}\n` });
    git('commit', '-q', '-m', 'first');
    git('rm', '-q', '-r', '--cached', 'many/0');
    writeFileSync(path.join(root, 'new.txt'), '');
    const few = await gitState(root, path.join(own, 'a'));
    expect({ listed: few?.untrackedListed, new: few?.status.includes('?? new.txt') }).toEqual({
      listed: true,
      new: true,
    });
    git('reset', '-q', '--mixed');
    const many = await gitState(root, path.join(own, 'b'));
    expect({ listed: many?.untrackedListed, new: many?.status.includes('?? new.txt') }).toEqual({
      listed: false,
      new: false,
    });
    expect(many?.status).toHaveLength(10_000);
  });
});
