import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { fingerprintContext } from '../../../src/reporting/findings/fingerprint.ts';
import type { LineContext, LineStatus } from '../../../src/reporting/findings/line-context.ts';
import {
  isDuplicate,
  type LocatedFinding,
  matchFindings,
  mayMatch,
  type PlacedFinding,
} from '../../../src/reporting/findings/reconcile.ts';
import { lines, none, on, run } from './reconcile-runs.ts';

const first = () =>
  run('run_1', [], { findings: [on(5, 'Five overflows'), on(20, 'Twenty is never closed')] }).known;
const both = ['Five overflows', 'Twenty is never closed'];

test('carries unchanged findings, and reports them anew at a retry of the same run', () => {
  const again = { findings: [on(5, 'Overflow in value five')] };
  expect([
    run('run_2', first(), {}).told,
    run('run_2', first(), again).told,
    run('run_2', first(), {
      ...again,
      text: ['', '', ...lines()],
      findings: [on(7, 'Overflow in value five')],
    }).told,
    run('run_1', first(), again).told,
  ]).toEqual([
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, fresh: ['Overflow in value five'] },
  ]);
});

test('fixes changed findings that a complete review was asked about', () => {
  const text = lines({ 5: 'const value5 = safe(5);' });
  const beside = lines({ 6: 'check(value5);' });
  const asked = new Set([first()[1]?.id ?? '']);
  const fixed = { ...none, carried: ['Twenty is never closed'], fixed: ['Five overflows'] };
  expect([
    run('run_2', first(), { text }).told,
    run('run_2', first(), { text: beside }).told,
    run('run_2', first(), { text, evidence: { kind: 'text', changed: true } }).told,
    run('run_2', first(), { text: beside, evidence: { kind: 'text', changed: true } }).told,
    run('run_2', first(), { text, evidence: { kind: 'none' } }).told,
    run('run_2', first(), { text, evidence: { kind: 'review', requested: asked } }).told,
    run('run_2', first(), { text, findings: [on(5, 'Five still overflows')] }).told,
  ]).toEqual([
    fixed,
    fixed,
    fixed,
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
  ]);
});

test('does not fix a finding that may be reported in other words', () => {
  const text = lines({ 5: 'const value5 = safer(5);' });
  const others = (line: number, more: Partial<Finding> = {}) =>
    run('run_2', first(), { text, findings: [on(line, 'Sums wrap around', more)] }).told;
  const open = { ...none, fresh: ['Sums wrap around'], carried: both };
  const fixed = { ...open, carried: ['Twenty is never closed'], fixed: ['Five overflows'] };
  expect([
    others(5),
    others(15),
    others(16),
    others(5, { category: 'style' }),
    others(5, { side: 'LEFT' }),
  ]).toEqual([open, open, fixed, fixed, fixed]);
});

test('fixes a check’s finding only if the check no longer reports it', () => {
  const known = run('run_1', [], { findings: [on(5, 'A key', { check: 'secrets' })] }).known;
  const text = lines({ 5: 'const value5 = safe(5);' });
  expect([
    run('run_2', known, { checks: new Set(['secrets']) }).told.fixed,
    run('run_2', known, { text, checks: new Set(['files']) }).told.carried,
  ]).toEqual([['A key'], ['A key']]);
});

test('a finding of a file that is changed no longer is neither open nor fixed, until it is again', () => {
  const isOutside = () => true;
  const checks = new Set(['secrets']);
  const known = [...first(), ...run('run_1', [], { findings: [on(9, 'A key', { check: 'secrets' })] }).known];
  const two = run('run_2', known, { isOutside, checks });
  const three = run('run_3', two.known, { findings: [on(9, 'A key', { check: 'secrets' })], checks });
  const gone = run('run_2', known, { isOutside, checks, text: lines({ 5: 'other();' }) });
  expect([two.told, two.known.map(({ state, outside }) => [state, outside]), three.told, gone.told]).toEqual([
    none,
    Array(3).fill(['open', true]),
    { ...none, carried: [...both, 'A key'] },
    { ...none, fixed: ['Five overflows'] },
  ]);
});

test('reports a fixed finding again when it is back, once', () => {
  const two = run('run_2', first(), { text: lines({ 5: 'const value5 = safe(5);' }) });
  const three = run('run_3', two.known, { findings: [on(5, 'Five overflows')] });
  const four = run('run_4', three.known, { findings: [on(5, 'Five overflows')] });
  expect([three.told.fresh, four.told.fresh, four.told.carried.toSorted()]).toEqual([
    ['Five overflows'],
    [],
    both,
  ]);
});

test('suppresses dismissed findings, also on moved or changed lines', () => {
  const known = first();
  const dismissed = new Map([[known[0]?.id ?? '', 'ada']]);
  const two = run('run_2', known, { dismissed });
  const text = ['// moved', ...lines({ 6: 'check(value5);' })];
  const three = run('run_3', two.known, { text, findings: [on(6, 'Five overflows still')] });
  expect([two.told, three.told, three.known[0]]).toEqual([
    { ...none, carried: ['Twenty is never closed'], dismissed: ['Five overflows'] },
    { ...none, carried: ['Twenty is never closed'], dismissed: ['Five overflows'] },
    expect.objectContaining({ state: 'dismissed', dismissed_by: 'ada', line: 6 }),
  ]);
});

test('reports a new finding on another, an equal or the same line', () => {
  const text = lines({ 9: 'close(file);', 20: 'close(file);' });
  const known = run('run_1', [], { text, findings: [on(20, 'Closed twice')] }).known;
  const next = run('run_2', known, { text, findings: [on(9, 'Closed twice'), on(21, 'Another thing')] });
  const leak = { body: 'Nobody closes the file.' };
  const two = run('run_1', [], {
    findings: [on(5, 'Five overflows'), on(5, 'Five leaks', leak), on(5, 'Five leaks', leak)],
  });
  expect([
    next.told.fresh,
    next.told.carried,
    two.told.fresh,
    new Set(two.known.map(({ id }) => id)).size,
  ]).toEqual([['Closed twice', 'Another thing'], ['Closed twice'], ['Five overflows', 'Five leaks'], 2]);
});

test('carries a finding that is said in other words and another category on the same lines', () => {
  const body = 'The division has no check, so a range of zero days ends in an exception.';
  const known = run('run_1', [], { findings: [on(5, 'Zero days divide by zero', { body })] }).known;
  const again = on(5, 'An exception for a range of zero days', {
    ...{ category: 'robustness', body: 'Without a check the division throws.' },
  });
  expect(run('run_2', known, { findings: [again] }).told).toEqual({
    ...none,
    carried: ['Zero days divide by zero'],
  });
});

test('ends a finding about tests on unchanged lines, if the review was asked about it', () => {
  const known = run('run_1', [], { findings: [on(5, 'No test covers five'), on(20, 'Twenty leaks')] }).known;
  expect([
    run('run_2', known, {}).told,
    run('run_2', known, { evidence: { kind: 'review', requested: new Set() } }).told.fixed,
  ]).toEqual([{ ...none, fixed: ['No test covers five'], carried: ['Twenty leaks'] }, []]);
});

test('updates lines and severity of previous findings', () => {
  const [told] = first();
  if (told === undefined) throw new Error('there is one');
  const next = (facts: Parameters<typeof run>[2]) => run('run_2', [told], facts).known;
  const moved = ['', '', ...lines()];
  expect([
    next({ text: moved }),
    next({ text: moved, findings: [on(7, 'Overflow', { severity: 'critical', side: 'LEFT' })] }),
    next({ findings: [on(6, 'Five overflows', { severity: 'low' })] }),
    next({ text: lines({ 5: 'x' }), evidence: { kind: 'none' } }),
  ]).toEqual([
    [{ ...told, line: 7 }],
    [
      {
        ...{ ...told, line: 7, severity: 'critical', side: 'LEFT' },
        window: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ],
    [{ ...told, severity: 'low' }],
    [told],
  ]);
});

test('gives no finding an id that exists on GitHub', () => {
  const findings = [on(5, 'Five overflows')];
  const [plain] = run('run_2', [], { findings }).known;
  const [other] = run('run_2', [], { findings, usedIds: new Set([plain?.id ?? '', `${plain?.id}-2`]) }).known;
  expect(other?.id).toBe(`${plain?.id}-3`);
});

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
  more: Partial<PreviousFinding> = {},
  standing: LineStatus = { kind: 'untouched', line: 20 },
): LocatedFinding {
  const one = {
    ...{ path: 'a.ts', side: 'RIGHT' as const, line: 20, severity: 'low' as const, category: 'bug', title },
    ...{ check: null, ...context, state: 'open' as const, run_id: 'run_0', dismissed_by: null, fixed: null },
    ...more,
  };
  return { previous: { id: 'told', ...one }, status: standing };
}
const match = (ours: readonly PlacedFinding[], told: readonly LocatedFinding[]) => [
  ...matchFindings(ours, told),
];
/** True where a finding is one told before. */
const isOne = (ours: PlacedFinding, told: LocatedFinding) => match([ours], [told]).length === 1;
const touched: LineStatus = { kind: 'touched', line: 20 };
const gone: LineStatus = { kind: 'gone', changed: false };
/** Titles of which four, three, two or one word of five are shared. */
const other = { anchor: 'other;', window: 'x' };

test('matches the same text under one category, in any wording', () => {
  const words = 'completely else';
  expect([
    isOne(found(words), known('one two')),
    isOne(found(words, { category: 'Bug!' }), known('one two')),
    isOne(found(words, { path: 'b.ts' }), known('one two')),
    isOne(found(words, { category: 'style' }), known('one two')),
  ]).toEqual([true, true, false, false]);
});

test('matches by id if the text is unknown', () => {
  const id = fingerprintContext(found('t').finding, context);
  const before = known('one two', { id, anchor: 'changed', category: 'style' }, { kind: 'unknown' });
  expect([
    isOne(found('else'), before),
    isOne(found('else', { occurrence: 1 }), before),
    isOne(found('else'), { ...before, previous: { ...before.previous, id: 'none' } }),
  ]).toEqual([true, false, false]);
});

test('matches equal lines elsewhere by their surroundings', () => {
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

test('matches similar wording beside unchanged lines', () => {
  const beside = (
    title: string,
    more: More = {},
    told: Partial<PreviousFinding> = {},
    standing?: LineStatus,
  ) => isOne(found(title, { ...other, ...more }), known('one two three', told, standing));
  expect([
    beside('one two three four'),
    beside('one two four'),
    beside('one two three four', { category: 'style', line: 22 }),
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

test('counts three lines around the first and the last as near', () => {
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

test('matches similar wording anywhere if the lines changed', () => {
  const changed = (title: string, more: More = {}, standing: LineStatus = gone) =>
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

test('uses each finding once, by certainty and then by similarity', () => {
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

test('finds duplicates of one run by lines, category and wording', () => {
  const again = (more: Partial<Finding>, before: Partial<Finding> = {}) =>
    isDuplicate(said(more), said(before));
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

test('relates a finding to others within ten lines', () => {
  const may = (more: More, told: Partial<PreviousFinding> = {}, standing: LineStatus = gone) =>
    mayMatch(found('else', more), known('one two', told, standing));
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
  const moved: LineStatus = { kind: 'touched', line: 60 };
  expect([may({ line: 70 }, {}, moved), may({ line: 20 }, {}, moved)]).toEqual([true, false]);
});
