import path from 'node:path';
import type { Outcome } from '../contract/outcome.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';

/**
 * Returns the command that answers a waiting run, with a placeholder for the answer; null if the
 * run does not wait.
 */
export function commandToGoOn(
  { run_id, question, pending_approval: approval }: Outcome,
  folder: string,
): string | null {
  const where = `--cwd ${quotedWord(path.resolve(folder, '../..'))}`;
  if (approval !== undefined) return `anode resume ${run_id} approve ${approval.hash} ${where}`;
  if (question === null) return null;
  const hint = question.options.length === 0 ? '<answer>' : '<answer, or the name of an option>';
  return `anode resume ${run_id} "${hint}" ${where}`;
}
