import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reviewDiff } from '../../src/workspace/review-diff.ts';

let folder: string;
let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: root });
const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);
const diff = () => reviewDiff(root, path.join(folder, `${Math.random()}.git`));

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'anode-review-'));
  root = path.join(folder, 'tree');
  execFileSync('git', ['init', '-q', '-b', 'main', root]);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what is not committed is reviewed, new files included; when nothing is, the last commit', async () => {
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  write('a.txt', 'two\n');
  git('commit', '-q', '-a', '-m', 'second');
  expect(await diff()).toEqual({
    diff: expect.stringContaining('-one\n+two\n'),
    commit: expect.stringMatching(/^[0-9a-f]{8} "second"$/),
  });
  write('b.txt', 'new\n');
  const uncommitted = await diff();
  expect(uncommitted.commit).toBe(null);
  expect(uncommitted.diff).toContain('+++ b/b.txt');
  expect(uncommitted.diff).not.toContain('a.txt');
  expect(execFileSync('git', ['status', '--short'], { cwd: root }).toString()).toBe('?? b.txt\n');
});

test('there is nothing to review without git, without a commit, and in a first commit', async () => {
  expect(await reviewDiff(folder, path.join(folder, 'x.git'))).toEqual({ diff: '', commit: null });
  expect(await diff()).toEqual({ diff: '', commit: null });
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  expect(await diff()).toEqual({ diff: '', commit: null });
});
