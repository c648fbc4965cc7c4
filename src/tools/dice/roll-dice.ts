import type { DiceFormula } from './parse-formula.ts';

/** What fell: each die, and their sum with the modifier. */
export interface DiceRoll {
  readonly rolls: readonly number[];
  readonly total: number;
}

/** Rolls dice; `random(n)` gives a whole number from 0 to below `n`, each as likely as another. */
export function rollDice(formula: DiceFormula, random: (below: number) => number): DiceRoll {
  const rolls = Array.from({ length: formula.count }, () => 1 + random(formula.sides));
  return { rolls, total: rolls.reduce((sum, roll) => sum + roll, formula.modifier) };
}
