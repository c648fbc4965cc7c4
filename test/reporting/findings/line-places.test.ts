import { expect, test } from 'vitest';
import { contextOf, type LineSource, lineStatusOf } from '../../../src/reporting/findings/line-context.ts';

const source = (lines: readonly string[]): LineSource => ({
  lines: (path, side) =>
    path === 'a' && side === 'RIGHT' ? new Map(lines.map((line, index) => [index + 1, line])) : null,
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `statement ${index + 1};`);
const anchor = (lines: readonly string[], line: number, start_line?: number) =>
  contextOf(
    { path: 'a', side: 'RIGHT', line, ...(start_line === undefined ? {} : { start_line }) },
    source(lines),
  );

test('takes at most twelve lines without white space as anchor', () => {
  const twenty = numbered(20);
  const joined = (from: number, to: number) =>
    twenty
      .slice(from - 1, to)
      .map((line) => line.replace(' ', ''))
      .join('\n');
  expect([
    anchor(twenty, 5).anchor,
    anchor(twenty, 6, 5).anchor,
    anchor(twenty, 5, 6).anchor,
    anchor(twenty, 12, 1).anchor,
    anchor(twenty, 13, 1).anchor,
    anchor(['a', '', '   ', 'statement b;'], 4, 2).anchor,
    anchor(twenty, 21),
  ]).toEqual([
    joined(5, 5),
    joined(5, 6),
    joined(5, 6),
    joined(1, 12),
    joined(1, 12),
    'statementb;',
    { anchor: '', window: '', occurrence: 0 },
  ]);
});

test('adds neighbours to short lines, at most three times', () => {
  const around = (line: string) => anchor(['first line', line, 'last line'], 2).anchor;
  expect([around('abcdef'), around('abcde'), around('a_b_c_d-e')]).toEqual([
    'abcdef',
    'firstline\nabcde\nlastline',
    'firstline\na_b_c_d-e\nlastline',
  ]);
  expect(
    anchor(
      Array.from({ length: 9 }, () => '}'),
      5,
    ).anchor,
  ).toBe(Array.from({ length: 7 }, () => '}').join('\n'));
});

test('includes three lines on each side, and counts equal anchors above', () => {
  const lines = numbered(9);
  const changed = (at: number) =>
    anchor(lines.with(at - 1, 'changed here'), 5).window === anchor(lines, 5).window;
  expect([1, 2, 8, 9].map(changed)).toEqual([true, false, false, true]);
  const twice = [...numbered(3), ...numbered(3), ...numbered(3)];
  expect([2, 5, 8].map((line) => anchor(twice, line).occurrence)).toEqual([0, 1, 2]);
});

test('locates previous lines by surroundings and occurrence', () => {
  const twice = [...numbered(9), ...numbered(9), ...numbered(9)];
  const known = { path: 'a', side: 'RIGHT' as const, line: 14, ...anchor(twice, 14) };
  const now = (lines: readonly string[], more: object = {}) =>
    lineStatusOf({ ...known, ...more }, source(lines));
  const beside = twice.with(14, 'x').with(5, 'x').with(23, 'x');
  expect([
    now(twice),
    now(twice, { occurrence: 9 }),
    now(numbered(9)),
    now(beside),
    now(beside, { occurrence: 9 }),
    now(twice, { window: '' }),
    now(numbered(4)),
    now(numbered(4), { window: '' }),
    now(twice, { anchor: '' }),
  ]).toEqual([
    { kind: 'untouched', line: 14 },
    { kind: 'untouched', line: 5 },
    { kind: 'untouched', line: 5 },
    { kind: 'touched', line: 14 },
    { kind: 'touched', line: 23 },
    { kind: 'untouched', line: 5 },
    { kind: 'gone', changed: true },
    { kind: 'gone', changed: true },
    { kind: 'unknown' },
  ]);
  const two = { path: 'a', side: 'RIGHT' as const, line: 5, ...anchor(numbered(9), 5, 4) };
  expect(lineStatusOf(two, source(['new', ...numbered(9)]))).toEqual({ kind: 'untouched', line: 6 });
});
