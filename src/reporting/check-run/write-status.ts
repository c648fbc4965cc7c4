import type { RunPlan } from '../../contract/plan.ts';
import type { CheckEnd } from '../../contract/run-records.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import { checkName, place } from './find-check.ts';

/** What a commit status says. */
export interface StatusWords {
  readonly state: 'pending' | 'success' | 'failure';
  readonly words: string;
}

/** The status for the end of a check; null for a run that goes on. */
export function statusOf(end: CheckEnd | null): StatusWords {
  if (end === null) return { state: 'pending', words: 'Running' };
  return { state: end.conclusion === 'failure' ? 'failure' : 'success', words: end.title };
}

const contextOf = (plan: RunPlan): string => checkName(plan).replace(' ', '/');

/** The newest status of a plan's command on its commit; null where there is none. */
export async function readStatus(
  plan: RunPlan,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<{ readonly state: string; readonly description: string | null } | null> {
  const at = { ...place(plan), ref: plan.checkout.sha, per_page: 100 };
  const { data } = await octokit.rest.repos.listCommitStatusesForRef(at);
  return data.find((one) => one.context === contextOf(plan)) ?? null;
}

/** Says it on the commit, unless the newest status does. */
export async function writeStatus(
  plan: RunPlan,
  { state, words, url }: StatusWords & { readonly url: string | null },
  ports: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  const description = publicCut(oneLine(words), 140, '…');
  const newest = await readStatus(plan, ports);
  if (newest?.state === state && newest.description === description) return;
  await ports.octokit.rest.repos.createCommitStatus({
    ...{ ...place(plan), sha: plan.checkout.sha, state, context: contextOf(plan), description },
    ...(url === null ? {} : { target_url: url }),
  });
}
