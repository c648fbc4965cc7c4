import { presetProblem } from '../config/preset-names.ts';
import { usageError } from './parse-arguments.ts';

/** Returns the value of `--preset`; throws a usage error for an unknown preset. */
export function knownPreset(command: string, word: string): string {
  const problem = presetProblem(word);
  if (problem !== null) throw usageError(command, `${problem}.`);
  return word;
}
