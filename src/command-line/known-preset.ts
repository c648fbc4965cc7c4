import { presetProblem } from '../config/preset-names.ts';
import { usageError } from './parse-arguments.ts';

/** The word as it was given for `--preset`, or a usage error where it names no preset. */
export function knownPreset(command: string, word: string): string {
  const problem = presetProblem(word);
  if (problem !== null) throw usageError(command, `${problem}.`);
  return word;
}
