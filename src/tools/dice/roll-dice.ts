import type { DiceFormula } from './parse-formula.ts';

/** The result of each die, and their sum with the modifier. */
export interface DiceRoll {
  readonly rolls: readonly number[];
  readonly total: number;
}

/** Rolls dice. `random(n)` returns a uniform integer from 0 to below `n`. */
export function rollDice(formula: DiceFormula, random: (below: number) => number): DiceRoll {
  const rolls = Array.from({ length: formula.count }, () => 1 + random(formula.sides));
  return { rolls, total: rolls.reduce((sum, roll) => sum + roll, formula.modifier) };
}
