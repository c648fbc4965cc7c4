import { ToolError } from '../../contract/errors.ts';

/** Dice of one kind, and a number added to their sum. */
export interface DiceFormula {
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
  return new ToolError(
    'invalid_input',
    `"${text.slice(0, 60)}" ${why}. A formula is [count]d<sides>[+number or -number], such as d6, 1d20, 3d6+4 or 2d10-1; a plain 20 is 1d20.`,
  );
}
