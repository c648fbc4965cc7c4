import type { Config } from '../../config/schema.ts';
import { type Severity, severityRank } from '../../contract/findings.ts';

/** GitHub's word for a review of the whole pull request. */
export type Verdict = 'COMMENT' | 'APPROVE' | 'REQUEST_CHANGES';

export interface VerdictFacts {
  /** Severities of all open findings, new and earlier. */
  readonly open: readonly Severity[];
  /** True for a review that came to its end, and with it all that was pushed is reviewed. */
  readonly complete: boolean;
  /** True if no changed file is to be reviewed: there is no verdict to give. */
  readonly unseen: boolean;
  /**
   * True if head or base differ from those reviewed. An approval would count for code that no one
   * reviewed.
   */
  readonly moved: boolean;
  /** True for a fork: its content may be anyone's, so no model may approve it. */
  readonly fork: boolean;
  /** The verdict of our newest review that is more than a comment; null if none. */
  readonly current: 'APPROVED' | 'CHANGES_REQUESTED' | null;
  readonly settings: NonNullable<Config['review']>;
}

export interface VerdictDecision {
  readonly event: Verdict;
  /** The earlier verdict that lost its reason and is withdrawn. */
  readonly withdraw: 'APPROVED' | 'CHANGES_REQUESTED' | null;
}

/**
 * Decides the verdict. The default is a comment. Requests changes while a finding at or above
 * `review.requestChanges` is open. Approves if a complete review leaves nothing open, but never a
 * fork. Withdraws the approval when a finding opens or nothing reviewed is left.
 */
export function decideVerdict(facts: VerdictFacts): VerdictDecision {
  const { open, complete, unseen, moved, fork, current, settings } = facts;
  if (requestsChanges(open, settings)) return { event: 'REQUEST_CHANGES', withdraw: null };
  const approves = settings.approve === true && complete && !unseen && !moved && !fork && open.length === 0;
  // A review that broke off has not seen that nothing blocks; what it saw is open all the same.
  const isOutdated = current === 'APPROVED' ? open.length > 0 || (complete && unseen) : complete;
  return { event: approves ? 'APPROVE' : 'COMMENT', withdraw: isOutdated ? current : null };
}

/** True if a finding is open at or above the severity of `review.requestChanges`. */
export function requestsChanges(
  open: readonly Severity[],
  { requestChanges }: VerdictFacts['settings'],
): boolean {
  return isAtLeast(open, requestChanges === true ? 'high' : requestChanges || undefined);
}

/** True if one of the severities is at least the given one. */
export function isAtLeast(open: readonly Severity[], least: Severity | undefined): boolean {
  return least !== undefined && open.some((severity) => severityRank(severity) >= severityRank(least));
}
