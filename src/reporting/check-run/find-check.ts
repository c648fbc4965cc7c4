import type { CheckEnd } from '../../contract/open-run.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { workOf } from '../../contract/work-of.ts';
import { repoOf } from '../../github/api-target.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** A check run as it is on GitHub. */
export interface OpenCheck {
  readonly id: number;
  /** Number of annotations: an earlier publisher may have died between two batches. */
  readonly annotations: number;
  /** The end that an earlier publisher wrote; null if none. */
  readonly ended: { readonly conclusion: string | null; readonly title: string | null } | null;
}

/** Returns the name of a run's check. A resumed run replaces the check of the run that asked. */
export const checkName = (plan: Pick<RunPlan, 'verb' | 'work'>): string => `anode ${workOf(plan)}`;

/**
 * Returns the external id of a check run: its run and its thread. Events on a fork's head name no
 * pull request. Only the app that created a check can write its id.
 */
export const checkId = (plan: Pick<RunPlan, 'run_id' | 'thread'>): string =>
  `${plan.run_id}/${plan.thread?.number ?? 0}`;

/** Our own check run of a plan's run; null where there is none. */
export async function findCheck(
  plan: RunPlan,
  { octokit, ownLogin }: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<OpenCheck | null> {
  const external_id = checkId(plan);
  const all = await octokit.paginate(octokit.rest.checks.listForRef, {
    ...repoOf(plan),
    ...{ ref: plan.checkout.sha, check_name: checkName(plan), filter: 'all' as const, per_page: 100 },
  });
  const own = all.find((one) => one.external_id === external_id && `${one.app?.slug}[bot]` === ownLogin);
  if (own === undefined) return null;
  const { id, status, conclusion, output } = own;
  const ended = status === 'completed' ? { conclusion, title: output.title } : null;
  return { id, annotations: output.annotations_count, ended };
}

/** The content of a commit status. */
interface StatusText {
  readonly state: 'pending' | 'success' | 'failure';
  readonly text: string;
}

/** The status for the end of a check; null for a run that continues. */
export function commitStatus(end: CheckEnd | null): StatusText {
  if (end === null) return { state: 'pending', text: 'Running' };
  return { state: end.conclusion === 'failure' ? 'failure' : 'success', text: end.title };
}

const contextOf = (plan: RunPlan): string => checkName(plan).replace(' ', '/');

/** The newest status of a plan's command on its commit; null where there is none. */
export async function readStatus(
  plan: RunPlan,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<{ readonly state: string; readonly description: string | null } | null> {
  const at = { ...repoOf(plan), ref: plan.checkout.sha, per_page: 100 };
  const { data } = await octokit.rest.repos.listCommitStatusesForRef(at);
  return data.find((one) => one.context === contextOf(plan)) ?? null;
}

/** Writes a commit status, unless the newest status says the same. */
export async function writeStatus(
  plan: RunPlan,
  { state, text, url }: StatusText & { readonly url: string | null },
  ports: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  const description = publicCut(oneLine(text), 140, '…');
  const newest = await readStatus(plan, ports);
  if (newest?.state === state && newest.description === description) return;
  await ports.octokit.rest.repos.createCommitStatus({
    ...{ ...repoOf(plan), sha: plan.checkout.sha, state, context: contextOf(plan), description },
    ...(url === null ? {} : { target_url: url }),
  });
}
