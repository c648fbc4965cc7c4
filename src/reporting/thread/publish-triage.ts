import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { type RunPlan, workOf } from '../../contract/plan.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import type { PublishPorts } from '../posting/ports.ts';

/** What a triage came to on GitHub. */
export interface PublishedTriage {
  /** Labels that the thread has now because of it. */
  readonly labels: readonly string[];
  /** Threads that say the same. */
  readonly duplicates: readonly number[];
}

const usualMost = 5;

/**
 * Adds the labels that a triage proposes, as far as the plan offered them and the repository has them still; it takes none
 * off. Adding one that is there already changes nothing, so it may be done again. Null where the run proposed nothing.
 */
export async function publishTriage(
  outcome: Outcome,
  plan: RunPlan,
  { octokit, config }: Pick<PublishPorts, 'octokit' | 'config'>,
): Promise<PublishedTriage | null> {
  if (workOf(plan) !== 'triage' || plan.thread === null || outcome.triage === undefined) return null;
  const chosen = chooseTriage(outcome.triage, plan, config);
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const labels = await existingLabels(chosen.labels, place, { octokit });
  if (labels.length > 0)
    await octokit.rest.issues.addLabels({ ...place, issue_number: plan.thread.number, labels });
  return { ...chosen, labels };
}

/** What of a proposal the plan and the configuration have room for. Pure. */
export function chooseTriage(
  proposed: NonNullable<Outcome['triage']>,
  plan: Pick<RunPlan, 'triage'>,
  { triage }: Pick<Config, 'triage'>,
): PublishedTriage {
  const offered = plan.triage ?? { labels: [], candidates: [] };
  const labels = proposed.labels.filter(
    (label) => offered.labels.includes(label) && (triage?.labels?.includes(label) ?? true),
  );
  const duplicates = proposed.duplicates.filter((number) => offered.candidates.includes(number));
  return { labels: labels.slice(0, triage?.maxLabels ?? usualMost), duplicates };
}
