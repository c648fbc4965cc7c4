import { afterEach, expect, test } from 'vitest';
import { parseFormula, rollDice } from '../../../src/tools/dice/dice-roll.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

test('every form of a formula is accepted, also with spaces and capitals', () => {
  const formulas = ['d6', '1d20', '3d6+4', '2d10-1', '20', ' 2 D 8 + 1 ', '100d1000-1000000'];
  expect(formulas.map((formula) => Object.values(parseFormula(formula)))).toEqual([
    [1, 6, 0],
    [1, 20, 0],
    [3, 6, 4],
    [2, 10, -1],
    [1, 20, 0],
    [2, 8, 1],
    [100, 1000, -1_000_000],
  ]);
});

test('an invalid or too large formula is refused with the grammar', async () => {
  tools = await openTools({});
  const refusals: string[] = [];
  for (const formula of [
    '',
    'six',
    '20+1',
    '1d',
    'd6+d4',
    '0d6',
    '101d6',
    'd1',
    'd1001',
    'd6+1000001',
    '1e3d6',
  ]) {
    refusals.push(await tools.say('dice.roll', { formula }));
  }
  const grammar =
    ' A formula is [count]d<sides>[+number or -number], such as d6, 1d20, 3d6+4 or 2d10-1; a plain 20 is 1d20.';
  expect(refusals.map((text) => text.replace(`.${grammar}`, ''))).toEqual([
    'invalid_input: "" is no dice formula',
    'invalid_input: "six" is no dice formula',
    'invalid_input: "20+1" is no dice formula',
    'invalid_input: "1d" is no dice formula',
    'invalid_input: "d6+d4" is no dice formula',
    'invalid_input: "0d6" wants 0 dice; 1 to 100 can be rolled',
    'invalid_input: "101d6" wants 101 dice; 1 to 100 can be rolled',
    'invalid_input: "d1" wants 1 sides; a die has 2 to 1000',
    'invalid_input: "d1001" wants 1001 sides; a die has 2 to 1000',
    'invalid_input: "d6+1000001" adds 1000001; at most 1000000 can be added or taken off',
    'invalid_input: "1e3d6" is no dice formula',
  ]);
});

test('each side is as likely as the random source makes it, and no other number occurs', () => {
  let next = 0;
  const inTurn = (below: number) => next++ % below;
  const counts = new Map<number, number>();
  for (let round = 0; round < 60; round += 1) {
    for (const roll of rollDice({ count: 10, sides: 6, modifier: 0 }, inTurn).rolls)
      counts.set(roll, (counts.get(roll) ?? 0) + 1);
  }
  expect([...counts].sort(([a], [b]) => a - b)).toEqual([1, 2, 3, 4, 5, 6].map((side) => [side, 100]));
});

test('the result lists each die and the correct sum', async () => {
  tools = await openTools({});
  const { content, data } = await tools.call('dice_roll', { formula: '3d6-2' });
  const { rolls, total, ...rest } = data as { rolls: number[]; total: number };
  expect(rest).toEqual({ formula: '3d6-2', modifier: -2 });
  expect(rolls.map((roll) => roll >= 1 && roll <= 6)).toEqual([true, true, true]);
  expect(total).toBe(rolls.reduce((sum, roll) => sum + roll, -2));
  expect(content).toBe(`3d6-2: ${rolls.join(' + ')} - 2 = ${total}`);
  const { content: one, data: plain } = await tools.call('dice.roll', { formula: 20 });
  expect(one).toBe(`1d20: ${(plain as { total: number }).total}`);
});

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

test('a long text is quoted by its first characters', () => {
  expect(() => parseFormula('x'.repeat(61))).toThrow(`"${'x'.repeat(60)}" is no dice formula`);
});

test('each die is rolled separately, and the modifier counts once', () => {
  const given = [0, 5, 2];
  const requested: number[] = [];
  const random = (below: number) => {
    requested.push(below);
    return given[requested.length - 1] ?? 0;
  };
  expect([rollDice({ count: 3, sides: 6, modifier: -2 }, random), requested]).toEqual([
    { rolls: [1, 6, 3], total: 8 },
    [6, 6, 6],
  ]);
});
