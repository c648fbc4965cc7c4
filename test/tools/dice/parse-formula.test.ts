import { expect, test } from 'vitest';
import { parseFormula } from '../../../src/tools/dice/parse-formula.ts';
import { rollDice } from '../../../src/tools/dice/roll-dice.ts';

test.each([
  ['d6', 1, 6, 0],
  ['1d20', 1, 20, 0],
  [' 3 D 6 + 4 ', 3, 6, 4],
  ['2d10-1', 2, 10, -1],
  ['20', 1, 20, 0],
  ['100d1000+1000000', 100, 1000, 1_000_000],
  ['1d2-1000000', 1, 2, -1_000_000],
])('%j is a formula', (text, count, sides, modifier) => {
  expect(parseFormula(text)).toEqual({ count, sides, modifier });
});

test.each([
  ['', 'is no dice formula'],
  ['x1d6', 'is no dice formula'],
  ['1d6x', 'is no dice formula'],
  ['d', 'is no dice formula'],
  ['20+1', 'is no dice formula'],
  ['1d6*2', 'is no dice formula'],
  ['1234567890d6', 'is no dice formula'],
  ['0d6', 'wants 0 dice; 1 to 100 can be rolled'],
  ['101d6', 'wants 101 dice; 1 to 100 can be rolled'],
  ['d1', 'wants 1 sides; a die has 2 to 1000'],
  ['d1001', 'wants 1001 sides; a die has 2 to 1000'],
  ['d6+1000001', 'adds 1000001; at most 1000000 can be added or taken off'],
  ['d6-1000001', 'adds -1000001; at most 1000000 can be added or taken off'],
])('%j is refused', (text, why) => {
  expect(() => parseFormula(text)).toThrow(
    expect.objectContaining({
      kind: 'invalid_input',
      message: expect.stringContaining(`"${text}" ${why}. A formula is`),
    }),
  );
});

test('of a long text the first characters are named', () => {
  expect(() => parseFormula('x'.repeat(61))).toThrow(`"${'x'.repeat(60)}" is no dice formula`);
});

test('each die falls by itself, and the modifier counts once', () => {
  const given = [0, 5, 2];
  const asked: number[] = [];
  const random = (below: number) => {
    asked.push(below);
    return given[asked.length - 1] ?? 0;
  };
  expect([rollDice({ count: 3, sides: 6, modifier: -2 }, random), asked]).toEqual([
    { rolls: [1, 6, 3], total: 8 },
    [6, 6, 6],
  ]);
});
