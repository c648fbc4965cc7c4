import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { workOf } from '../../contract/work-of.ts';
import { repoOf } from '../../github/api-target.ts';
import { existingLabels } from '../posting/existing-labels.ts';
import type { PublishPorts } from '../posting/ports.ts';

/** The result of a triage on GitHub. */
export interface PublishedTriage {
  /** Labels that the thread has now because of it. */
  readonly labels: readonly string[];
  /** Duplicate threads. */
  readonly duplicates: readonly number[];
}

const usualMost = 5;

/**
 * Adds the proposed labels that the plan offered and the repository has; removes none. Null without
 * a proposal.
 */
export async function publishTriage(
  outcome: Outcome,
  plan: RunPlan,
  { octokit, config }: Pick<PublishPorts, 'octokit' | 'config'>,
): Promise<PublishedTriage | null> {
  if (workOf(plan) !== 'triage' || plan.thread === null || outcome.triage === undefined) return null;
  const chosen = chooseTriage(outcome.triage, plan, config);
  const repository = repoOf(plan);
  const labels = await existingLabels(chosen.labels, repository, { octokit });
  const thread = { ...repository, issue_number: plan.thread.number };
  const set = labels.length === 0 ? new Set() : await labelsOf(thread, octokit);
  const missing = labels.filter((label) => !set.has(label.toLowerCase()));
  if (missing.length > 0) await octokit.rest.issues.addLabels({ ...thread, labels: missing });
  return { ...chosen, labels };
}

/** Returns a thread's labels in lower case, since GitHub ignores case. */
async function labelsOf(
  thread: { readonly owner: string; readonly repo: string; readonly issue_number: number },
  octokit: PublishPorts['octokit'],
): Promise<ReadonlySet<string>> {
  const { data } = await octokit.rest.issues.get(thread);
  const names = data.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')));
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Returns the part of a proposal that plan and configuration allow. Pure. */
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
