import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { invalidInput, type ToolError } from '../../contract/errors.ts';
import { defineTool, toJson } from '../tool.ts';

const input = z.object({
  formula: z.coerce.string().describe('d6, 1d20, 3d6+4, 2d10-1; 20 is 1d20'),
});

/** Rolls fair dice. */
export const diceRoll = defineTool({
  name: 'dice.roll',
  description: 'Roll dice, where a task asks for chance.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.formula }),
  async execute(args) {
    const { count, sides, modifier } = parseFormula(args.formula);
    const { rolls, total } = rollDice({ count, sides, modifier }, (below) => randomInt(below));
    const formula = `${count}d${sides}${signed(modifier)}`;
    const sum = rolls.length === 1 && modifier === 0 ? '' : ` = ${total}`;
    const added = modifier === 0 ? '' : ` ${modifier < 0 ? '-' : '+'} ${Math.abs(modifier)}`;
    return {
      content: `${formula}: ${rolls.join(' + ')}${added}${sum}`,
      data: toJson({ formula, rolls, modifier, total }),
    };
  },
});

function signed(modifier: number): string {
  if (modifier === 0) return '';
  return modifier < 0 ? String(modifier) : `+${modifier}`;
}

/** The result of each die, and their sum with the modifier. */
interface DiceRoll {
  readonly rolls: readonly number[];
  readonly total: number;
}

/** Rolls dice. `random(n)` returns a uniform integer from 0 to below `n`. */
export function rollDice(formula: DiceFormula, random: (below: number) => number): DiceRoll {
  const rolls = Array.from({ length: formula.count }, () => 1 + random(formula.sides));
  return { rolls, total: rolls.reduce((sum, roll) => sum + roll, formula.modifier) };
}

/** Dice of one kind, and a number added to their sum. */
interface DiceFormula {
  readonly count: number;
  readonly sides: number;
  readonly modifier: number;
}

const mostDice = 100;
const mostSides = 1000;
const largestModifier = 1_000_000;

/**
 * Parses `d6`, `1d20`, `3d6+4`, `2d10-1`; a plain `20` is `1d20`. Throws
 * `ToolError('invalid_input')` for anything else, and beyond 100 dice, 1,000 sides or a modifier of
 * a million.
 */
export function parseFormula(text: string): DiceFormula {
  const plain = text.replaceAll(/\s+/g, '').toLowerCase();
  const parts = /^(?:(?<count>\d{1,9})?d)?(?<sides>\d{1,9})(?<modifier>[+-]\d{1,9})?$/.exec(plain)?.groups;
  if (parts === undefined || (parts.modifier !== undefined && !plain.includes('d'))) {
    throw refused(text, 'is no dice formula');
  }
  const count = Number(parts.count ?? 1);
  const sides = Number(parts.sides);
  const modifier = Number(parts.modifier ?? 0);
  if (count < 1 || count > mostDice)
    throw refused(text, `wants ${count} dice; 1 to ${mostDice} can be rolled`);
  if (sides < 2 || sides > mostSides)
    throw refused(text, `wants ${sides} sides; a die has 2 to ${mostSides}`);
  if (Math.abs(modifier) > largestModifier) {
    throw refused(text, `adds ${modifier}; at most ${largestModifier} can be added or taken off`);
  }
  return { count, sides, modifier };
}

function refused(text: string, why: string): ToolError {
  return invalidInput(
    `"${text.slice(0, 60)}" ${why}. A formula is [count]d<sides>[+number or -number], such as d6, 1d20, 3d6+4 or 2d10-1; a plain 20 is 1d20.`,
  );
}
