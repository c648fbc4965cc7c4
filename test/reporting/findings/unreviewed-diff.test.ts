import { afterAll, expect, test } from 'vitest';
import { unreviewedDiff } from '../../../src/reporting/findings/unreviewed-diff.ts';
import { createDiffRepository, type Tree } from '../diff/git-diff.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 60 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;
const base = { 'a.txt': lines(), 'b.txt': lines() };

function since(then: readonly [Tree, Tree], now: readonly [Tree, Tree], more: object = {}) {
  const { diff, reviewed, nothingNew } = unreviewedDiff({
    now: repository.diff(...now),
    before: repository.diff(...then),
    renamed: new Map(),
    isReviewed: () => true,
    alsoShow: () => false,
    ...more,
  });
  return { changed: diff.split('\n').filter((line) => /^[+-](?![+-])/.test(line)), reviewed, nothingNew };
}

test('returns only new hunks after a push', () => {
  const then = { ...base, 'a.txt': lines({ 5: 'five' }), 'b.txt': lines({ 9: 'nine' }) };
  const now = { ...then, 'a.txt': lines({ 5: 'five', 40: 'forty' }), 'c.txt': 'new\n' };
  expect([
    since([base, then], [base, now]),
    since([base, then], [base, now], { alsoShow: (_: string, line: number) => line === 8 }),
  ]).toEqual([
    { changed: ['-line 40', '+forty', '+new'], reviewed: ['b.txt'], nothingNew: false },
    {
      changed: ['-line 5', '+five', '-line 40', '+forty', '-line 9', '+nine', '+new'],
      reviewed: [],
      nothingNew: false,
    },
  ]);
});

test('returns nothing after a rebase, except changes that came with it', () => {
  const then = { ...base, 'a.txt': lines({ 5: 'five', 30: 'thirty' }) };
  const moved = (changed = {}) => `one\ntwo\n${lines(changed)}`;
  const newBase = { 'a.txt': moved(), 'b.txt': lines({ 1: 'b' }) };
  const same = { ...newBase, 'a.txt': moved({ 5: 'five', 30: 'thirty' }) };
  const more = { ...newBase, 'a.txt': moved({ 5: 'five', 30: 'thirty!' }) };
  expect([since([base, then], [newBase, same]), since([base, then], [newBase, more])]).toEqual([
    { changed: [], reviewed: ['a.txt'], nothingNew: true },
    { changed: ['-line 30', '+thirty!'], reviewed: [], nothingNew: false },
  ]);
});

test('returns partly reverted changes and reordered lines, but no fully reverted change', () => {
  const then = { ...base, 'a.txt': lines({ 5: 'check\nuse', 40: 'forty' }) };
  const part = { ...base, 'a.txt': lines({ 5: 'use', 40: 'forty' }) };
  const whole = { ...base, 'b.txt': lines() };
  const swapped = { ...base, 'a.txt': lines({ 5: 'use\ncheck', 40: 'forty' }) };
  expect([
    since([base, then], [base, part]),
    since([base, then], [base, whole]),
    since([base, then], [base, swapped]).nothingNew,
  ]).toEqual([
    { changed: ['-line 5', '+use'], reviewed: [], nothingNew: false },
    { changed: [], reviewed: [], nothingNew: true },
    false,
  ]);
});

test('recognises renamed files, and excludes files that are not reviewed', () => {
  const then = { ...base, 'new.txt': lines({ 5: 'five' }) };
  const now = { ...base, 'other.txt': lines({ 5: 'five', 50: 'fifty' }) };
  const renamed = new Map([['new.txt', 'other.txt']]);
  expect([
    since([base, then], [base, now], { renamed }).nothingNew,
    since([base, then], [base, { ...base, 'other.txt': lines({ 5: 'five' }) }], { renamed }).nothingNew,
    since([base, base], [base, now], { isReviewed: (path: string) => path !== 'other.txt' }),
  ]).toEqual([false, true, { changed: [], reviewed: [], nothingNew: true }]);
});

test('returns the change before the last one of a file after the last one was reverted', () => {
  const then = { ...base, 'a.txt': lines({ 5: 'line 5\nfive', 25: 'line 25\nx', 45: 'line 45\ny' }) };
  const now = { ...base, 'a.txt': lines({ 5: 'line 5\nfive', 25: 'line 25\nx' }) };
  expect(since([base, then], [base, now]).changed).toEqual(['+x']);
});

test('returns a line that moved past unchanged ones, but not one beside a changed base', () => {
  const then = { ...base, 'a.txt': lines({ 7: 'line 7\nmore' }) };
  const now = { ...base, 'a.txt': lines({ 6: 'line 6\nmore' }) };
  const newBase = { ...base, 'a.txt': lines({ 7: 'line 7\nof the base' }) };
  const rebased = { ...base, 'a.txt': lines({ 7: 'line 7\nof the base\nmore' }) };
  expect([since([base, then], [base, now]), since([base, then], [newBase, rebased])]).toEqual([
    { changed: ['+more'], reviewed: [], nothingNew: false },
    { changed: [], reviewed: ['a.txt'], nothingNew: true },
  ]);
});

test('names the new lines of both sides, and files that are new as a whole', () => {
  const then = { ...base, 'a.txt': lines({ 5: 'five', 40: 'line 40\nforty' }) };
  const now = {
    'a.txt': lines({ 5: 'five\nmore', 40: 'line 40' }),
    'b.txt': lines({ 9: 'nine' }),
    'c.txt': 'new\n',
  };
  const { newLines } = unreviewedDiff({
    ...{ now: repository.diff(base, now), before: repository.diff(base, then), renamed: new Map() },
    ...{ isReviewed: () => true, alsoShow: () => false },
  });
  const replaced = unreviewedDiff({
    now: repository.diff(base, { ...base, 'a.txt': lines({ 5: 'five', 6: 'six' }) }),
    ...{ before: repository.diff(base, { ...base, 'a.txt': lines({ 5: 'five' }) }), renamed: new Map() },
    ...{ isReviewed: () => true, alsoShow: () => false },
  });
  expect([newLines, replaced.newLines]).toEqual([
    new Map<string, unknown>([
      ['a.txt', new Set(['R6'])],
      ['b.txt', 'all'],
      ['c.txt', 'all'],
    ]),
    new Map([['a.txt', new Set(['L6', 'R6'])]]),
  ]);
});
