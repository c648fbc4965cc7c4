import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openTools, type TreeEntry } from '../tool-harness.ts';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const of = (file: string, ...hunks: string[]): string => lines(`--- a/${file}`, `+++ b/${file}`, ...hunks);
const git = (file: string, ...rest: string[]): string => lines(`diff --git a/${file} b/${file}`, ...rest);
const letters = 'abcdefghijkl'.split('');
const noEnd = '\\ No newline at end of file';

const files: Readonly<Record<string, TreeEntry>> = {
  letters: lines(...letters),
  two: 'a\nb\n',
  open: 'a\nb',
  'docs/one.md': 'one\n',
  empty: '',
  link: { symlink: 'docs' },
  'tool.sh': { executable: 'true\n' },
};

const rename = (from: string, to: string): string =>
  lines(`diff --git a/${from} b/${to}`, 'similarity index 100%', `rename from ${from}`, `rename to ${to}`);

/** Patches that git takes or refuses, and the files that then differ. */
test.each<[why: string, accepted: boolean, patch: string]>([
  ['an end is added to the last line', true, of('open', '@@ -1,2 +1,2 @@', ' a', '-b', noEnd, '+b')],
  ['the end of the last line goes', true, of('two', '@@ -1,2 +1,2 @@', ' a', '-b', '+b', noEnd)],
  [
    'a line comes below one without an end',
    true,
    of('open', '@@ -1,2 +1,3 @@', ' a', '-b', noEnd, '+b', '+c'),
  ],
  [
    'the last line goes, and the end of the one above',
    true,
    of('two', '@@ -1,2 +1,1 @@', '-a', '-b', '+a', noEnd),
  ],
  ['lines stand where it says', true, of('letters', '@@ -5,4 +5,5 @@', ' e', ' f', '+F', ' g', ' h')],
  ['lines stand further down', true, of('letters', '@@ -2,4 +2,5 @@', ' e', ' f', '+F', ' g', ' h')],
  [
    'one file is changed twice, the second time as the first left it',
    true,
    git('two', '--- a/two', '+++ b/two', '@@ -1,2 +1,3 @@', '+0', ' a', ' b') +
      git('two', '--- a/two', '+++ b/two', '@@ -1,3 +1,4 @@', ' 0', ' a', ' b', '+c'),
  ],
  [
    'a new file has a function in its hunk',
    true,
    git(
      'new.c',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.c',
      '@@ -0,0 +1,2 @@',
      '+int f(void) {',
      '+}',
    ),
  ],
  ['a new file is empty', true, git('new', 'new file mode 100644', 'index 0000000..e69de29')],
  [
    'a mode and a line change',
    true,
    git(
      'two',
      'old mode 100644',
      'new mode 100755',
      '--- a/two',
      '+++ b/two',
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '+c',
    ),
  ],
  [
    'three files change names in a ring',
    true,
    rename('two', 'open') + rename('open', 'letters') + rename('letters', 'two'),
  ],
  [
    'a mail stands around it',
    true,
    `Subject: [PATCH] Say c\n\n---\n two | 2 +-\n 1 file changed\n\n${git('two', '--- a/two', '+++ b/two', '@@ -1,2 +1,2 @@', ' a', '-b', '+c')}-- \n2.40\n`,
  ],
  [
    'a plain diff has times',
    true,
    lines(
      'diff -ruN a/new b/new',
      '--- a/new\t1970-01-01 00:00:00.000000000 +0000',
      '+++ b/new\t2024-02-03 04:05:06.000000000 +0000',
      '@@ -0,0 +1 @@',
      '+x',
    ),
  ],
  [
    'names have blanks',
    true,
    lines(
      '--- a/new file\t1970-01-01 00:00:00 +0000',
      '+++ b/new file\t2024-02-03 04:05:06 +0000',
      '@@ -0,0 +1 @@',
      '+x',
    ),
  ],
  ['a hunk has no file', false, lines('@@ -1 +1 @@', '-a', '+b')],
  ['the new name is missing', false, git('two', '--- a/two', '@@ -1 +1 @@', '-a', '+b')],
  [
    'the old name is missing',
    false,
    git('two', 'index 7898192..0000000', '+++ b/two', '@@ -1 +0,0 @@', '-a'),
  ],
  ['a mode is no number', false, git('two', 'old mode 10x644')],
  [
    'the names do not agree',
    false,
    git('two', 'deleted file mode 100644', '--- a/twofold', '+++ /dev/null', '@@ -1,2 +0,0 @@', '-a', '-b'),
  ],
  [
    'binary files only differ',
    false,
    git('two', 'index 7898192..422c2b7 100644', 'Binary files a/two and b/two differ'),
  ],
  ['a binary part is no such', false, git('new', 'new file mode 100644', 'GIT binary patch', 'junk')],
  ['a line is not there', false, of('two', '@@ -1,2 +1,2 @@', ' a', '-c', '+d')],
  ['the file is not there', false, of('gone', '@@ -1 +1 @@', '-a', '+b')],
  [
    'the new file is there',
    false,
    git('two', 'new file mode 100644', '--- /dev/null', '+++ b/two', '@@ -0,0 +1 @@', '+x'),
  ],
  [
    'the file has been moved by the same patch',
    false,
    `${rename('two', 'second')}${git('two', '--- a/two', '+++ b/two', '@@ -1 +1 @@', '-a', '+b')}`,
  ],
  ['the file lies behind a link', false, git('link/new', 'new file mode 100644', 'index 0000000..e69de29')],
  [
    'a file behind a link is to go',
    false,
    git(
      'link/one.md',
      'deleted file mode 100644',
      '--- a/link/one.md',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-one',
    ),
  ],
  [
    'the file lies behind a link that the patch makes',
    false,
    `${rename('link', 'docs2')}${git('docs2/one.md', '--- a/docs2/one.md', '+++ b/docs2/one.md', '@@ -1 +1 @@', '-one', '+two')}`,
  ],
  [
    'the file lies above the tree',
    false,
    git('../out', 'new file mode 100644', '--- /dev/null', '+++ b/../out', '@@ -0,0 +1 @@', '+x'),
  ],
  [
    'a file above the tree is to go',
    false,
    git('../out', 'deleted file mode 100644', '--- a/../out', '+++ /dev/null', '@@ -1 +0,0 @@', '-x'),
  ],
  ['it is a list of names', false, 'two\n'],
])('apply_patch gives the result of git apply for %s', async (_why, accepted, patch) => {
  const [ours, theirs] = await Promise.all([openTools(files), openTools(files)]);
  const taken = await ours.call('apply_patch', { patch }).then(
    () => true,
    () => false,
  );
  const { status } = spawnSync('git', ['apply', '-'], { cwd: theirs.root, input: patch, stdio: 'pipe' });
  expect({ accepted: taken, tree: ours.tree() }).toEqual({ accepted: status === 0, tree: theirs.tree() });
  expect(taken).toBe(accepted);
  await Promise.all([ours.close(), theirs.close()]);
});
