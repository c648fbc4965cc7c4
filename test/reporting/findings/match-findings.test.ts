import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import type { KnownFinding } from '../../../src/contract/review-record.ts';
import { fingerprintContext } from '../../../src/reporting/findings/fingerprint.ts';
import type { LineContext, Standing } from '../../../src/reporting/findings/line-context.ts';
import {
  isSaidAgain,
  matchFindings,
  maySay,
  type PlacedFinding,
  type StandingFinding,
} from '../../../src/reporting/findings/match-findings.ts';

type More = Partial<Finding & LineContext>;
const context = { anchor: 'sum+=one;', window: 'w', occurrence: 0 };

/** A finding of this run on line 20, in these words. */
function found(title: string, more: More = {}): PlacedFinding {
  const { anchor, window, occurrence, ...finding } = { ...context, ...more };
  return {
    finding: {
      ...{ path: 'a.ts', side: 'RIGHT', line: 20, severity: 'low', category: 'bug', title, body: 'B' },
      ...finding,
    },
    context: { anchor, window, occurrence },
  };
}

/** A finding told before, whose lines are where they were, unless `standing` says otherwise. */
function known(
  title: string,
  more: Partial<KnownFinding> = {},
  standing: Standing = { kind: 'untouched', line: 20 },
): StandingFinding {
  const one = {
    ...{ path: 'a.ts', side: 'RIGHT' as const, line: 20, severity: 'low' as const, category: 'bug', title },
    ...{ check: null, ...context, state: 'open' as const, run_id: 'run_0', dismissed_by: null, fixed: null },
    ...more,
  };
  return { known: { id: 'told', ...one }, standing };
}
const match = (ours: readonly PlacedFinding[], told: readonly StandingFinding[]) => [
  ...matchFindings(ours, told),
];
/** True where a finding is one told before. */
const isOne = (ours: PlacedFinding, told: StandingFinding) => match([ours], [told]).length === 1;
const touched: Standing = { kind: 'touched', line: 20 };
const gone: Standing = { kind: 'gone' };
/** Titles of which four, three, two or one word of five are shared. */
const other = { anchor: 'other;', window: 'x' };

test('the same text under one category is the same finding, whatever its words', () => {
  const words = 'completely else';
  expect([
    isOne(found(words), known('one two')),
    isOne(found(words, { category: 'Bug!' }), known('one two')),
    isOne(found(words, { path: 'b.ts' }), known('one two')),
    isOne(found(words, { category: 'style' }), known('one two')),
  ]).toEqual([true, true, false, false]);
});

test('it is known by the name it was told under, also where its text is not known any more', () => {
  const id = fingerprintContext(found('t').finding, context);
  const before = known('one two', { id, anchor: 'changed', category: 'style' }, { kind: 'unknown' });
  expect([
    isOne(found('else'), before),
    isOne(found('else', { occurrence: 1 }), before),
    isOne(found('else'), { ...before, known: { ...before.known, id: 'none' } }),
  ]).toEqual([true, false, false]);
});

test('equal lines elsewhere are the same by what stands around them, or where that changed', () => {
  const second = { occurrence: 1 };
  expect([
    isOne(found('else', second), known('one two')),
    isOne(found('else', { ...second, window: 'x' }), known('one two')),
    isOne(found('else', { ...second, window: 'x' }), known('one two', {}, touched)),
    isOne(found('else', { ...second, category: 'style' }), known('one two')),
    isOne(found('one two three four', { ...second, category: 'style' }), known('one two')),
    isOne(found('one two three four five', { ...second, category: 'style' }), known('one two')),
    isOne(found('else', { anchor: '' }), known('one two', { anchor: '' })),
  ]).toEqual([true, false, true, false, true, false, false]);
});

test('beside lines that are as they were nearly the same words say the same', () => {
  const beside = (title: string, more: More = {}, told: Partial<KnownFinding> = {}, standing?: Standing) =>
    isOne(found(title, { ...other, ...more }), known('one two three', told, standing));
  expect([
    beside('one two three four'),
    beside('one two four'),
    beside('one two three four', { category: 'style' }),
    beside('one two three', { category: 'style' }),
    beside('one two three', { side: 'LEFT' }),
    beside('one two three', {}, {}, { kind: 'unknown' }),
  ]).toEqual([true, false, false, true, false, true]);
  const nine = 'a b c d e f g h i';
  const eight = 'a b c d e f g h';
  expect([
    isOne(found(`${nine} j`, { ...other, category: 'style' }), known(nine)),
    isOne(found(`${eight} i`, { ...other, category: 'style' }), known(eight)),
  ]).toEqual([true, false]);
});

test('beside means three lines from the first and the last', () => {
  const at = (more: More, anchor = 'sum+=one;') =>
    isOne(found('one two', { ...other, ...more }), known('one two', { anchor }));
  expect([at({ line: 23 }), at({ line: 24 }), at({ line: 17 }), at({ line: 16 })]).toEqual([
    ...[true, false, true, false],
  ]);
  expect([
    at({ line: 40, start_line: 23 }),
    at({ line: 40, start_line: 24 }),
    at({ line: 15 }, 'one\ntwo\nthree'),
    at({ line: 14 }, 'one\ntwo\nthree'),
  ]).toEqual([true, false, true, false]);
});

test('where the lines changed, words alike are the same wherever they stand', () => {
  const changed = (title: string, more: More = {}, standing: Standing = gone) =>
    isOne(found(title, { ...other, line: 90, ...more }), known('one two', {}, standing));
  expect([
    changed('one two three four'),
    changed('one two three four five'),
    changed('one two three', { category: 'style' }),
    changed('one two', { category: 'style' }),
    changed('one two', { side: 'LEFT' }),
    changed('one two', {}, touched),
    changed('one two', {}, { kind: 'untouched', line: 20 }),
  ]).toEqual([true, false, false, true, false, true, false]);
  expect(
    isOne(found('one two three four', { ...other, category: 'x' }), known('one two three', {}, gone)),
  ).toBe(true);
});

test('each is used once, the most similar words first, and the more certain way before all others', () => {
  const told = [known('one two'), known('six seven'), known('far away', other)];
  expect(match([found('six seven'), found('one two'), found('far away', other)], told)).toEqual([
    ...[
      [0, 1],
      [1, 0],
      [2, 2],
    ],
  ]);
  expect(match([found('six seven eight'), found('six seven')], [known('six seven')])).toEqual([[1, 0]]);
  expect(match([found('six seven')], [known('six eight'), known('six seven')])).toEqual([[0, 1]]);
  expect(match([], told)).toEqual([]);
  // Its own text counts more than better words beside it.
  const beside = known('six seven', { ...other });
  expect(match([found('six seven')], [beside, known('six seven eight')])).toEqual([[0, 1]]);
});

const said = (more: Partial<Finding> = {}): Finding => ({ ...found('one two three').finding, ...more });

test('one run says the same twice on shared lines, under one category and in nearly the same words', () => {
  const again = (more: Partial<Finding>, before: Partial<Finding> = {}) =>
    isSaidAgain(said(more), said(before));
  expect([
    again({}),
    again({ title: 'one two three four' }),
    again({ category: 'BUG' }),
    again({ line: 23, start_line: 20 }),
    again({}, { line: 23, start_line: 20 }),
    again({ line: 22, start_line: 18 }, { line: 22, start_line: 22 }),
  ]).toEqual([true, true, true, true, true, true]);
  expect([
    again({ title: 'one two four' }),
    again({ category: 'style' }),
    again({ path: 'b.ts' }),
    again({ side: 'LEFT' }),
    again({ line: 21 }),
    again({ line: 19 }),
    again({ line: 24, start_line: 20 }),
    again({}, { line: 24, start_line: 20 }),
  ]).toEqual(Array.from({ length: 8 }, () => false));
});

test('a finding may be one in other words within ten lines of where that is now', () => {
  const may = (more: More, told: Partial<KnownFinding> = {}, standing: Standing = gone) =>
    maySay(found('else', more), known('one two', told, standing));
  expect([
    may({ line: 30 }),
    may({ line: 10 }),
    may({ line: 50, start_line: 30 }),
    may({ category: 'Bug' }),
  ]).toEqual([...[true, true, true, true]]);
  expect([
    may({ line: 31 }),
    may({ line: 9 }),
    may({ line: 50, start_line: 31 }),
    may({ category: 'style' }),
    may({ path: 'b.ts' }),
    may({ side: 'LEFT' }),
  ]).toEqual([false, false, false, false, false, false]);
  const moved: Standing = { kind: 'touched', line: 60 };
  expect([may({ line: 70 }, {}, moved), may({ line: 20 }, {}, moved)]).toEqual([true, false]);
});
