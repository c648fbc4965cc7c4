import { afterAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { placeFinding } from '../../../src/reporting/diff/place-finding.ts';
import { finding } from '../samples.ts';
import { createDiffRepository } from './git-diff.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);
const map = createHunkMap(
  repository.diff({ a: lines.join('') }, { a: lines.toSpliced(19, 1, 'changed\n').join('') }),
);
const place = (where: Partial<Finding>) => placeFinding({ ...finding, path: 'a', ...where }, map);
const at = (line: number, more: object = {}) => ({
  kind: 'line',
  path: 'a',
  side: 'RIGHT',
  line,
  statedLine: null,
  exact: true,
  ...more,
});

test('places a finding on its own line or range', () => {
  expect([
    place({ line: 20 }),
    place({ start_line: 18, line: 22 }),
    place({ start_line: 22, line: 18 }),
    place({ line: 20, side: 'LEFT' }),
    place({ line: 19, side: 'LEFT' }),
  ]).toEqual([
    at(20),
    at(22, { startLine: 18 }),
    at(22, { startLine: 18 }),
    at(20, { side: 'LEFT' }),
    at(19),
  ]);
});

test('places a range on its part within the diff', () => {
  expect([place({ start_line: 5, line: 18 }), place({ start_line: 23, line: 50 })]).toEqual([
    at(18, { startLine: 17, exact: false }),
    at(23, { exact: false }),
  ]);
});

test('moves a line outside the diff to the nearest one, within ten lines', () => {
  expect([
    place({ line: 26 }),
    place({ line: 33 }),
    place({ line: 34 }),
    place({ path: 'b', line: 1 }),
  ]).toEqual([
    at(23, { statedLine: 26, exact: false }),
    at(23, { statedLine: 33, exact: false }),
    { kind: 'file', path: 'a' },
    { kind: 'summary' },
  ]);
});
