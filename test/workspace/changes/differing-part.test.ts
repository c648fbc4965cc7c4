import { expect, test } from 'vitest';
import { differingPart } from '../../../src/workspace/changes/differing-part.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

const part = (before: string, after: string) => {
  const found = differingPart(Buffer.from(before), Buffer.from(after));
  return { ...found, before: String(found.before), after: String(found.after) };
};

test('64 whole lines remain on both sides of a changed line', () => {
  expect(part(`${lines(1, 199)}old\n${lines(201, 400)}`, `${lines(1, 199)}new\n${lines(201, 400)}`)).toEqual({
    before: `${lines(136, 199)}old\n${lines(201, 264)}`,
    after: `${lines(136, 199)}new\n${lines(201, 264)}`,
    linesBefore: 135,
  });
});

test('fewer lines remain near the beginning or the end', () => {
  expect([
    part(`old\n${lines(2, 100)}`, `new\n${lines(2, 100)}`),
    part(`${lines(1, 99)}old`, `${lines(1, 99)}new`),
    part(lines(1, 64), `${lines(1, 64)}more\n`),
  ]).toEqual([
    { before: `old\n${lines(2, 65)}`, after: `new\n${lines(2, 65)}`, linesBefore: 0 },
    { before: `${lines(36, 99)}old`, after: `${lines(36, 99)}new`, linesBefore: 35 },
    { before: lines(1, 64), after: `${lines(1, 64)}more\n`, linesBefore: 0 },
  ]);
});

test('repeated inserted lines are found once, and a text is never cut across itself', () => {
  expect(part(lines(1, 3), lines(1, 3) + lines(1, 3))).toEqual({
    before: lines(1, 3),
    after: lines(1, 3) + lines(1, 3),
    linesBefore: 0,
  });
});

test('a small change in a long text is found exactly', () => {
  const [start, end] = [lines(1, 5_000), lines(5_002, 10_000)];
  expect(part(`${start}old\n${end}`, `${start}new and longer\n${end}`)).toEqual({
    before: `${lines(4_937, 5_000)}old\n${lines(5_002, 5_065)}`,
    after: `${lines(4_937, 5_000)}new and longer\n${lines(5_002, 5_065)}`,
    linesBefore: 4_936,
  });
});

test('the part begins after a newline, also among empty lines', () => {
  expect([
    part(`\n\n${lines(1, 63)}old`, `\n\n${lines(1, 63)}new`),
    part(`first\n\n${lines(1, 64)}old`, `first\n\n${lines(1, 64)}new`),
  ]).toEqual([
    { before: `\n${lines(1, 63)}old`, after: `\n${lines(1, 63)}new`, linesBefore: 1 },
    { before: `${lines(1, 64)}old`, after: `${lines(1, 64)}new`, linesBefore: 2 },
  ]);
});

test('two equal texts give only the last 64 lines', () => {
  expect(part(lines(1, 100), lines(1, 100))).toEqual({
    before: lines(37, 100),
    after: lines(37, 100),
    linesBefore: 36,
  });
});
