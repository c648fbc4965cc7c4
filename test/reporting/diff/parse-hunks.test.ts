import { expect, test } from 'vitest';
import { parseHunks } from '../../../src/reporting/diff/parse-hunks.ts';

const head = (more: string) => `diff --git a/a b/a\n${more}--- a/a\n+++ b/a\n`;

test('Each line of a hunk has its numbers on both sides, and whether it ends.', () => {
  const text = `${head('')}@@ -4,2 +14,3 @@ place\n one\n-two\n\\ No newline at end of file\n+2\n+3\n\\ No newline at end of file\n`;
  const line = (
    kind: string,
    oldLine: number | null,
    newLine: number | null,
    words: string,
    unended = false,
  ) => ({
    ...{ kind, oldLine, newLine, text: words, unended },
  });
  expect(parseHunks(text)).toEqual([
    {
      ...{ path: 'a', oldPath: 'a', plain: true, text },
      hunks: [
        [
          line('context', 4, 14, 'one'),
          line('deleted', 5, null, 'two', true),
          line('added', null, 15, '2'),
          line('added', null, 16, '3', true),
        ],
      ],
    },
  ]);
});

test.each([
  ['a change of lines', `${head('')}@@ -1 +1 @@\n-a\n+b\n`, ['a', 'a', true, 1]],
  ['two places', `${head('')}@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-a\n+b\n`, ['a', 'a', true, 2]],
  [
    'a mode besides',
    `${head('old mode 100644\nnew mode 100755\n')}@@ -1 +1 @@\n-a\n+b\n`,
    ['a', 'a', false, 1],
  ],
  ['words like a mode in a line', `${head('')}@@ -1 +1 @@\n-a\n+old mode 1\n`, ['a', 'a', true, 1]],
  ['a mode alone', 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n', ['a', 'a', false, 0]],
  [
    'a new name',
    'diff --git a/a b/b\nsimilarity index 50%\nrename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n',
    ['b', 'a', false, 1],
  ],
  [
    'a new file',
    'diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n',
    ['a', null, false, 1],
  ],
  [
    'no file any more',
    'diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n',
    ['a', 'a', false, 1],
  ],
  ['no patch', 'words of a model', ['', null, false, 0]],
  ['a hunk that says it is longer', `${head('')}@@ -1,9 +1,9 @@\n-a\n+b\n`, ['a', 'a', false, 0]],
])('Of %s it is told what it is', (_, text, told) => {
  expect(
    parseHunks(text).map(({ path, oldPath, plain, hunks }) => [path, oldPath, plain, hunks.length]),
  ).toEqual([told]);
});
