import type { Config } from '../../config/schema.ts';
import { Severity } from '../../contract/findings.ts';

/** What a review says of the pull request as a whole, in GitHub's words. */
export type Verdict = 'COMMENT' | 'APPROVE' | 'REQUEST_CHANGES';

export interface VerdictFacts {
  /** Severities of everything that is open: told now or before. */
  readonly open: readonly Severity[];
  /** True for a review that came to its end, and with it all that was pushed is reviewed. */
  readonly complete: boolean;
  /** True where nothing of the pull request is for the review to see: there is no word to give on it. */
  readonly unseen: boolean;
  /** True where head or base are others by now than those that were reviewed: an approval would count for what nobody looked at. */
  readonly moved: boolean;
  /** From a fork: its content may be anyone's, so that no word of a model lets it in. */
  readonly fork: boolean;
  /** What our newest review that is more than a comment says; null without any. */
  readonly standing: 'APPROVED' | 'CHANGES_REQUESTED' | null;
  readonly settings: NonNullable<Config['review']>;
}

export interface VerdictDecision {
  readonly event: Verdict;
  /** What we said before and what has lost its reason: it is taken back. */
  readonly withdraw: 'APPROVED' | 'CHANGES_REQUESTED' | null;
}

/**
 * Comments, but where the configuration allows more: changes are requested while something at or above the severity of
 * `review.requestChanges` is open; a pull request is approved when a whole review leaves nothing open, and the approval
 * is taken back when something is, or when there is nothing left that was reviewed. One from a fork is never approved.
 */
export function decideVerdict(facts: VerdictFacts): VerdictDecision {
  const { open, complete, unseen, moved, fork, standing, settings } = facts;
  if (requestsChanges(open, settings)) return { event: 'REQUEST_CHANGES', withdraw: null };
  const approves = settings.approve === true && complete && !unseen && !moved && !fork && open.length === 0;
  // A review that broke off has not seen that nothing blocks; what it saw is open all the same.
  const lost = standing === 'APPROVED' ? open.length > 0 || (complete && unseen) : complete;
  return { event: approves ? 'APPROVE' : 'COMMENT', withdraw: lost ? standing : null };
}

/** Whether something is open at or above the severity for which the configuration has changes requested. */
export function requestsChanges(
  open: readonly Severity[],
  { requestChanges }: VerdictFacts['settings'],
): boolean {
  const least = requestChanges === true ? 'high' : requestChanges;
  return open.some(
    (severity) =>
      typeof least === 'string' && Severity.options.indexOf(severity) >= Severity.options.indexOf(least),
  );
}
