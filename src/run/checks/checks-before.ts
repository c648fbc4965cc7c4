import type { Finding } from '../../contract/findings.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { RunRequest } from '../records/run-context.ts';
import type { ChecksRun } from './check-review.ts';

/** Runs the checks of a review before the model. A resumed session ran them before. */
export async function checksBefore(
  run: Omit<ChecksRun, 'fork' | 'record'> & Pick<RunRequest, 'profile' | 'plan' | 'resume'>,
  record: (entry: RunEntry) => void,
): Promise<readonly Finding[]> {
  if (run.profile !== 'review' || run.resume !== null) return [];
  const { checkReview } = await import('./check-review.ts');
  return (await checkReview({ ...run, fork: run.plan.checkout.fork, record })).findings;
}
