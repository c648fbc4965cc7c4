import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileAt } from '../../../src/workspace/git/files-at.ts';

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: root })
    .toString()
    .trim();
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'anode-read-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('readFileAt', () => {
  it('returns the text from the commit, or null if there is no such file', async () => {
    writeFileSync(path.join(root, 'AGENTS.md'), 'as committed\n');
    mkdirSync(path.join(root, 'folder'));
    writeFileSync(path.join(root, 'folder', 'x'), 'x');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    writeFileSync(path.join(root, 'AGENTS.md'), 'as it is now\n');
    const place = { cwd: root, gitDirectory: path.join(root, '.git') };
    const sha = git('rev-parse', 'HEAD');
    expect(
      await Promise.all(
        ['AGENTS.md', 'CLAUDE.md', 'folder', 'folder/x'].map((name) => readFileAt(place, sha, name)),
      ),
    ).toEqual(['as committed\n', null, null, 'x']);
  });

  it('returns null for a link, wherever it leads', async () => {
    symlinkSync('/etc/passwd', path.join(root, 'AGENTS.md'));
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const place = { cwd: root, gitDirectory: path.join(root, '.git') };
    expect(await readFileAt(place, git('rev-parse', 'HEAD'), 'AGENTS.md')).toBeNull();
  });
});
