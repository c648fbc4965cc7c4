import { afterAll, expect, test } from 'vitest';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { splitPatch } from '../../../src/reporting/diff/split-patch.ts';
import { unreviewedDiff } from '../../../src/reporting/findings/unreviewed-diff.ts';
import { suggestFromPatch } from '../../../src/reporting/suggestions/suggestions.ts';
import { createDiffRepository } from './git-diff.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

/** What JavaScript takes for the end of a line, and git does not. */
const ends = ['\r', '\u2028', '\u2029'];
const lines = (changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 60 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

test('A line of content cannot pass for the head of another file, whatever stands in it.', () => {
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

test('A line of content cannot pass for a hunk, so that what a push brings is shown.', () => {
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

test('What is left of a patch is whole where content looks like the head of a hunk.', () => {
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
