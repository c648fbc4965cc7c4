import { append } from '../../contract/lists.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { sentence } from '../text/markdown.ts';
import { findRunCommit } from './commit-changes.ts';
import {
  type ChangesPublished,
  type Delivered,
  deliverCommit,
  type OutletContext,
} from './deliver-commit.ts';
import { type OutletRequest, outletFacts, refuseCommit, refuseSuggestions } from './outlet-rules.ts';

/** A place for a run's changes. */
interface Outlet {
  readonly name: 'commit' | 'suggestions' | 'patch';
  /** Returns why the outlet cannot take the changes, as a sentence; null if it can. */
  refuse(request: OutletRequest): string | null;
  /** Publishes the changes. Returns reasons if GitHub refuses; then the next outlet is used. */
  deliver(outcome: Outcome, context: OutletContext): Promise<Delivered>;
  /** The part that `deliver` leaves to the review; null for nothing. */
  readonly remainder: 'suggestions' | 'patch' | null;
}

const leave = async () => ({ downgrades: [], failures: [] });

/** The outlets, strongest first. `commit.outlet` names the strongest allowed. */
export const outlets: readonly Outlet[] = [
  {
    name: 'commit',
    refuse: refuseCommit,
    deliver: deliverCommit,
    remainder: null,
  },
  {
    name: 'suggestions',
    refuse: refuseSuggestions,
    deliver: leave,
    remainder: 'suggestions',
  },
  {
    name: 'patch',
    refuse: () => null,
    deliver: leave,
    remainder: 'patch',
  },
];

/** True if a run has changes to publish. Those of a waiting run stay in its saved session. */
export const hasChanges = ({ changes, conclusion }: OutletRequest['outcome']): boolean =>
  changes.files.length > 0 && conclusion !== 'waiting';

/**
 * Publishes a run's changes through the strongest outlet that takes them. Suggestions and patches
 * are left to the caller. Reports the refusal of the strongest outlet. Throws defects only.
 */
export async function publishChanges(
  outcome: Outcome,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  if (ports.textOnly !== undefined) return onlyText(outcome, plan, ports.textOnly, ports);
  const facts = outletFacts(ports, ports.pullRequestDiff);
  const request = { outcome, plan, facts };
  const downgrades: string[] = [];
  for (const outlet of hasChanges(outcome) ? outlets : []) {
    const reason = outlet.refuse(request);
    const delivered =
      reason === null ? await outlet.deliver(outcome, { plan, facts, ports }) : { refused: [reason] };
    if (!('refused' in delivered)) {
      // Suggestions that were asked for replace no commit.
      const isAsked = storedVerb(workOf(plan))?.push === outlet.name;
      const reasons = isAsked ? [] : downgrades;
      const all = [...reasons, ...delivered.downgrades];
      return { outlet: outlet.name, uncommitted: reasons[0], ...delivered, downgrades: all };
    }
    if (downgrades.length === 0) append(downgrades, delivered.refused);
  }
  return { outlet: 'none', downgrades, failures: [] };
}

/** Returns the outlet of changes whose commit failed for a defect. */
export function outletWithoutCommit(outcome: Outcome, plan: RunPlan, ports: PublishPorts): ChangesPublished {
  const request = { outcome, plan, facts: outletFacts(ports, ports.pullRequestDiff) };
  const outlet = outlets.slice(1).find(({ refuse }) => refuse(request) === null);
  return { outlet: outlet?.name ?? 'patch', downgrades: [], failures: [] };
}

/** Reports a commit of an earlier attempt. Otherwise the changes are a patch. */
async function onlyText(
  outcome: Outcome,
  plan: RunPlan,
  reason: string,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const { push } = plan;
  if (!hasChanges(outcome)) return { outlet: 'none', downgrades: [], failures: [] };
  const made = push.kind === 'branch' ? await findRunCommit(plan, push.branch, ports) : null;
  if (made === null || push.kind !== 'branch')
    return { outlet: 'patch', downgrades: [`Not committed: ${sentence(reason)}`], failures: [] };
  const commit = { sha: made.sha, url: made.url, branch: push.branch };
  return { outlet: 'commit', commit, downgrades: [], failures: [] };
}
