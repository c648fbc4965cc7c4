import type { Finding } from '../contract/findings.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { Attempt } from './attempt.ts';
import { createHunkMap } from './hunk-map.ts';
import type { PublishPorts } from './ports.ts';
import { type PostedReview, postReview } from './post-review.ts';
import type { SplitSuggestions } from './suggestions.ts';

/** Changes to be suggested on lines, what of them has to be a patch, and all of it as a patch. */
export interface Proposals extends SplitSuggestions {
  readonly whole: string;
}

/** The review, where there is something to say on lines and a pull request to say it on. */
export async function publishReview(
  outcome: Outcome,
  plan: RunPlan,
  proposals: Proposals,
  ports: PublishPorts,
  attempt: Attempt,
): Promise<{
  posted: PostedReview | null;
  /** For the report to list. */
  findings: readonly Finding[];
  carried: number;
  patch: string;
}> {
  const { findings } = outcome;
  const unposted = { posted: null, findings, carried: 0, patch: proposals.whole };
  const finished = outcome.conclusion !== 'failure' && outcome.conclusion !== 'cancelled';
  if (plan.thread?.kind !== 'pull_request' || !finished) return unposted;
  if (findings.length === 0 && proposals.suggestions.length === 0) return unposted;
  const map = createHunkMap(ports.pullRequestDiff ?? '');
  const material = { findings, suggestions: proposals.suggestions };
  const result = await attempt('The review', async () => postReview(plan, material, map, ports));
  if (result === null) return unposted;
  const { posted, made } = result;
  return { posted, findings: made.unplaced, carried: made.carried.length, patch: proposals.leftover };
}
