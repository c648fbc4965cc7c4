import type { ChangeSet } from '../contract/change.ts';
import { internalError } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import { foldOutcome } from '../reporting/fold-outcome.ts';
import type { RunFailures } from './run-failures.ts';

/**
 * Makes the outcome. If that fails, the outcome is a failure with the end of the run, its cost,
 * findings and changes, or at least the patch.
 */
export async function foldWhole(
  lines: readonly RunLedgerLine[],
  changes: ChangeSet,
  failures: Pick<RunFailures, 'step'>,
): Promise<Outcome> {
  const whole = await failures.step('The outcome', () => foldOutcome(lines, changes), null);
  if (whole !== null) return whole;
  const least = lines.filter(({ entry }) => ofLeastOutcome.has(entry.type));
  const outcome =
    (await failures.step('The outcome without its details', () => foldOutcome(least, changes), null)) ??
    foldOutcome(least, { ...changes, files: [] });
  const stop = internalError(new Error('the outcome of the run could not be put together whole'));
  return { ...outcome, conclusion: 'failure', stop: outcome.stop ?? stop };
}

const ofLeastOutcome: ReadonlySet<RunEntry['type']> = new Set([
  ...(['run.started', 'turn.started', 'usage', 'tool.call', 'findings', 'run.finished'] as const),
]);
