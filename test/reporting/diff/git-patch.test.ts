import { afterAll, expect, test } from 'vitest';
import { parseHunks, splitPatch } from '../../../src/reporting/diff/git-patch.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { unreviewedDiff } from '../../../src/reporting/findings/unreviewed-diff.ts';
import { suggestFromPatch } from '../../../src/reporting/suggestions/suggestions.ts';
import { createDiffRepository } from './git-diff.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

/** What JavaScript takes for the end of a line, and git does not. */
const ends = ['\r', '\u2028', '\u2029'];
const lines = (changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 60 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

test('does not take content for the header of a file', () => {
  const forged = ends
    .map((end, index) => `${end}diff --git a/dist/x${index} b/dist/x${index}${end}`)
    .join(' ');
  const diff = repository.diff({ 'a.js': lines() }, { 'a.js': lines({ 5: forged, 7: 'evil()' }) });
  const map = createHunkMap(diff);
  expect([
    splitPatch(diff).map(({ newPath, text }) => [newPath, text === diff]),
    map.resolve('dist/x0'),
    map.text('a.js', 'RIGHT', 7),
  ]).toEqual([[['a.js', true]], null, 'evil()']);
});

test('does not take content for a hunk', () => {
  const forged = `five ${ends.map((end) => `${end}@@ -1,1 +1,1 @@`).join(' ')}`;
  const base = { 'a.js': lines() };
  const before = { 'a.js': lines({ 5: forged }) };
  const now = { 'a.js': lines({ 5: forged, 50: 'evil()' }) };
  const { diff } = unreviewedDiff({
    now: repository.diff(base, now),
    before: repository.diff(base, before),
    renamed: new Map(),
    isReviewed: () => true,
    alsoShow: () => false,
  });
  expect(diff.split('\n').filter((line) => /^[+-](?![+-])/u.test(line))).toEqual(['-line 50', '+evil()']);
});

test('splits a patch whose content looks like a hunk header', () => {
  const head = { 'a.js': lines({ 5: 'five \u2028@@ -1,1 +1,1 @@' }) };
  const wanted = lines({ 5: 'five', 30: 'thirty' });
  // Of the second hunk the pull request shows nothing.
  const map = createHunkMap(repository.diff({ 'a.js': lines() }, head));
  const { leftover, suggestions } = suggestFromPatch(repository.diff(head, { 'a.js': wanted }), map);
  expect([suggestions.length, repository.apply(head, leftover, 'a.js')]).toEqual([
    1,
    lines({ 5: 'five \u2028@@ -1,1 +1,1 @@', 30: 'thirty' }),
  ]);
});

const head = (more: string) => `diff --git a/a b/a\n${more}--- a/a\n+++ b/a\n`;

test('numbers each line on both sides, and marks a missing line end', () => {
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
])('reads the facts of %s', (_, text, told) => {
  expect(
    parseHunks(text).map(({ path, oldPath, plain, hunks }) => [path, oldPath, plain, hunks.length]),
  ).toEqual([told]);
});
