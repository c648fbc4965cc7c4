import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reviewDiff } from '../../../src/workspace/changes/review-diff.ts';

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

test('reviews uncommitted and new files, or the last commit if there are none', async () => {
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  write('a.txt', 'two\n');
  git('commit', '-q', '-a', '-m', 'second');
  const [head = '', one = '', two = ''] = git('rev-parse', 'HEAD', 'HEAD~1:a.txt', 'HEAD:a.txt')
    .toString()
    .split('\n');
  const last = {
    diff: `diff --git a/a.txt b/a.txt\nindex ${one}..${two} 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n`,
    commit: `${head.slice(0, 8)} "second"`,
  };
  expect(await diff()).toEqual(last);
  write('b.txt', 'new\n');
  const { diff: uncommitted, commit } = await diff();
  expect([commit, uncommitted.split('\n').filter((line) => !line.startsWith('index'))]).toEqual([
    null,
    [
      ...['diff --git a/b.txt b/b.txt', 'new file mode 100644', '--- /dev/null', '+++ b/b.txt'],
      ...['@@ -0,0 +1 @@', '+new', ''],
    ],
  ]);
  expect(execFileSync('git', ['status', '--short'], { cwd: root }).toString()).toBe('?? b.txt\n');
});

test('nothing is reviewed without git, without a commit, or at the first commit', async () => {
  expect(await reviewDiff(folder, path.join(folder, 'x.git'))).toEqual({ diff: '', commit: null });
  expect(await diff()).toEqual({ diff: '', commit: null });
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  expect(await diff()).toEqual({ diff: '', commit: null });
});

test('cuts the subject of a commit to 200 visible characters', async () => {
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('commit', '-q', '--allow-empty', '-m', `Say "hi"\u200b ${'x'.repeat(300)}\n\nWhy`);
  const { commit } = await diff();
  expect(commit?.slice(9)).toBe(JSON.stringify(`Say "hi" ${'x'.repeat(191)}`));
});
