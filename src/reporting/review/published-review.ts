import type { Finding, ToldFinding } from '../../contract/findings.ts';
import type { Reconciled } from '../findings/reconcile.ts';
import type { ReviewPorts } from '../posting/ports.ts';
import type { SplitSuggestions } from '../suggestions/suggestions.ts';
import { codeSpan, countOf } from '../text/markdown.ts';
import { storedFinding } from './fold-findings.ts';
import type { PostedReview, ReviewPosting } from './post-review.ts';
import { renderTally } from './render-review.ts';

/** Changes to be suggested on lines, what of them has to be a patch, and all of it as a patch. */
export interface Proposals extends SplitSuggestions {
  readonly whole: string;
}

/** Files and commits of a review. */
export interface ReviewedScope {
  /** The commit that the review before it had reached; null for a first review. */
  readonly since: string | null;
  /** The commit up to which everything is reviewed now; null if that is none. */
  readonly head: string | null;
  /** Changed files that the configuration leaves out. */
  readonly ignored: readonly string[];
  /** All changed files. */
  readonly files: readonly string[];
}

/** The published findings and proposals of a run. */
export interface PublishedReview {
  readonly posted: PostedReview | null;
  /** New findings without a comment on a line. */
  readonly findings: readonly Finding[];
  readonly carried: number;
  /** All that is known of the pull request's findings. Default: nothing was compared with them. */
  readonly told?: readonly ToldFinding[] | undefined;
  /** Reviewed files and commits. Default: this was no review. */
  readonly scope?: ReviewedScope | undefined;
  /** `2 new, 1 carried, 3 fixed`; '' for a first review. */
  readonly tally: string;
  /** Sentences about what GitHub refused. */
  readonly notes: readonly string[];
  readonly patch: string;
}

/**
 * Returns findings whose suggestion is not on a line, new and carried. `result` is null if the
 * review was not posted.
 */
export function unpostedSuggestions(
  { fresh, carried }: Reconciled,
  result: ReviewPosting | null,
): readonly Finding[] {
  const onLines = new Set(result?.made.onLines);
  return [
    ...fresh.flatMap(({ id, finding }) => (onLines.has(id) ? [] : [finding])),
    // The summary that listed them is written again without the earlier patch.
    ...carried.flatMap((one) => (one.folded === true ? [storedFinding(one)] : [])),
  ].filter(({ suggestion }) => suggestion !== undefined);
}

/**
 * Builds the result of a review. `result` is null if it was not posted. `patch` holds suggestions
 * that are not on a line.
 */
export function publishedReview({
  reconciled,
  result,
  proposals,
  review,
  patch,
}: {
  readonly reconciled: Reconciled;
  readonly result: ReviewPosting | null;
  readonly proposals: Proposals;
  readonly review: ReviewPorts;
  readonly patch: string;
}): PublishedReview {
  const suggested = result?.suggested === true;
  const onLines = new Set(result?.made.onLines);
  return {
    posted: result?.posted ?? null,
    findings: reconciled.fresh.flatMap(({ id, finding }) => (onLines.has(id) ? [] : [finding])),
    carried: reconciled.carried.length,
    tally: renderTally(reconciled),
    notes: [...(result?.note == null ? [] : [result.note]), ...omittedNote(review)],
    patch: (suggested ? proposals.leftover : proposals.whole) + patch,
  };
}

/** Returns a note about a change that is too large for one review. */
function omittedNote({ unshown: omitted = [], reviewed }: ReviewPorts): string[] {
  if (omitted.length === 0) return [];
  const named = omitted.slice(0, 10).map((path) => codeSpan(path));
  const more = omitted.length > named.length ? [`${omitted.length - named.length} more`] : [];
  const next = reviewed?.unseen === undefined ? '' : ' The next review begins with those that fit.';
  return [
    `The change is too large to be shown to the reviewer whole, who could only read on in ${countOf(omitted.length, 'file')}: ${[...named, ...more].join(', ')}.${next}`,
  ];
}
