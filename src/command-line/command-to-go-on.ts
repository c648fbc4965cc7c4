import path from 'node:path';
import type { Outcome } from '../contract/outcome.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';

/** The command that answers what a run waits for, with a place for the answer; null for a run that waits for nothing. */
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
