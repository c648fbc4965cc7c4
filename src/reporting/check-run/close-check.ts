import type { RunPlan } from '../../contract/plan.ts';
import type { OpenRun } from '../../contract/run-records.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { findCheck, place } from './find-check.ts';
import { failedEnd } from './run-check.ts';
import { readStatus, statusOf, writeStatus } from './write-status.ts';

/**
 * Ends the check of a run that nobody works on any more, where it does not say yet how that ended: with what was kept, or else
 * with `words`. Rejects where GitHub does not take it.
 */
export async function closeCheck(
  plan: RunPlan,
  { kind, end }: NonNullable<OpenRun['check']>,
  words: string,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'runUrl'>,
): Promise<void> {
  const { conclusion, ...output } = end ?? failedEnd(words);
  if (kind === 'status') {
    const newest = await readStatus(plan, ports);
    const said = { ...statusOf({ conclusion, ...output }), url: ports.runUrl };
    if (newest?.state === 'pending') await writeStatus(plan, said, ports);
    return;
  }
  const check = await findCheck(plan, ports);
  if (check === null || check.ended !== null) return;
  await ports.octokit.rest.checks.update({
    ...{ ...place(plan), check_run_id: check.id, status: 'completed', conclusion, output },
    completed_at: new Date().toISOString(),
  });
}
