import { expect, test } from 'vitest';
import { fingerprintFinding } from '../../../src/reporting/findings/fingerprint.ts';
import { contextOf, type LineSource, standingOf } from '../../../src/reporting/findings/line-context.ts';
import { finding } from '../samples.ts';

const source = (...lines: string[]): LineSource => ({
  lines: (path) => (path === 'src/a.js' ? new Map(lines.map((text, index) => [index + 1, text])) : null),
});
const body = [
  'function total(list) {',
  '  let sum = 0;',
  '  for (const one of list)',
  '    sum += one;',
  '  return sum;',
  '}',
];
const name = (lines: string[], line: number, more: object = {}) =>
  fingerprintFinding({ ...finding, line, ...more }, source(...lines));

test('A fingerprint does not change with line numbers, white space, or the words of the finding.', () => {
  const moved = ['// a line', '', ...body.map((line) => `\t${line.trim()}`)];
  expect(
    new Set([name(body, 4), name(moved, 6), name(body, 4, { title: 'In other words', body: 'x' })]).size,
  ).toBe(1);
});

test('A fingerprint tells path, category, text and the second of two equal lines.', () => {
  const twice = [...body, ...body];
  const other = (change: object) => fingerprintFinding({ ...finding, line: 4, ...change }, source(...body));
  const names = [
    name(body, 4),
    name(body, 3),
    name(twice, 10),
    other({ path: 'src/b.js' }),
    other({ category: 'style' }),
    other({ start_line: 2 }),
  ];
  expect([new Set(names).size, name(twice, 4) === name(body, 4)]).toEqual([names.length, true]);
});

test('A line that tells nothing takes those beside it along, and a file that is not known the title.', () => {
  const brace = (lines: string[], line: number) =>
    contextOf({ path: 'src/a.js', side: 'RIGHT', line }, source(...lines)).anchor;
  expect([
    brace(body, 6),
    brace(['{', '}', '{', '}'], 2),
    contextOf({ path: 'src/b.js', side: 'RIGHT', line: 1 }, source(...body)).anchor,
    name([], 4) === name([], 7),
    name([], 4) === name([], 4, { title: 'Another' }),
  ]).toEqual(['returnsum;\n}', '{\n}\n{\n}', '', true, false]);
});

test('It is told whether lines stand as they were, beside changes, or not at all.', () => {
  const known = {
    path: 'src/a.js',
    side: 'RIGHT' as const,
    ...contextOf({ ...finding, line: 4 }, source(...body)),
  };
  const now = (lines: string[]) => standingOf(known, source(...lines));
  expect([
    now(['', '// moved', ...body]),
    now(body.with(2, '  for (const one of list ?? [])')),
    now(body.with(3, '    sum += Number(one);')),
    standingOf({ ...known, anchor: '' }, source(...body)),
    standingOf({ ...known, path: 'src/gone.js' }, source(...body)),
  ]).toEqual([
    { kind: 'untouched', line: 6 },
    { kind: 'touched', line: 4 },
    { kind: 'gone' },
    { kind: 'unknown' },
    { kind: 'gone' },
  ]);
});
