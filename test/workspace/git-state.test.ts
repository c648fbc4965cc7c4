import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitState } from '../../src/workspace/git-state.ts';

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

describe('what the model is told of git', () => {
  it('is nothing where there is no repository', async () => {
    expect(await gitState(root, path.join(own, 'a'))).toBeNull();
  });

  it('is the branch and the changed files, without our own folder', async () => {
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
    });
    git('checkout', '-q', '--detach');
    expect((await gitState(root, path.join(own, 'b')))?.branch).toBeNull();
  });

  it('is found without running a program that the repository names', async () => {
    git('init', '-q', '-b', 'work');
    writeFileSync(path.join(root, '.gitattributes'), '*.txt filter=hostile\n');
    writeFileSync(path.join(root, 'a.txt'), 'a\n');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    git('config', 'filter.hostile.clean', `touch ${path.join(own, 'ran')}; cat`);
    writeFileSync(path.join(root, 'a.txt'), 'b\n');
    expect(await gitState(root, path.join(own, 'a'))).toEqual({ branch: 'work', status: [' M a.txt'] });
    expect(existsSync(path.join(own, 'ran'))).toBe(false);
  });
});
