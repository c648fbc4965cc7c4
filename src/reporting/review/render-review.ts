import { Severity } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Verdict } from '../findings/decide-verdict.ts';
import type { NamedFinding, Reconciled } from '../findings/reconcile.ts';
import { countOf, cutText } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';

/** The findings of a review by state. */
export type Tally = Pick<Reconciled, 'fresh' | 'carried' | 'fixed' | 'fixedBefore'>;

/**
 * Renders the hidden line of a finding: its id, and the fields that identify it without a record.
 * `run` is the run that found it, if no review of that run has it.
 */
export function findingMark({ id, finding }: NamedFinding, run?: string): string {
  const { severity, path, line } = finding;
  const category = cutText(finding.category, 60, '');
  return writeMarker('finding', {
    fp: id,
    severity,
    category,
    check: finding.check,
    path: path.length > 300 ? undefined : path,
    line: path.length > 300 ? undefined : String(line),
    run,
  });
}

/** `1 critical, 2 low`. */
export function countSeverities(severities: readonly Severity[]): string {
  return Severity.options
    .toReversed()
    .flatMap((severity) => {
      const count = severities.filter((one) => one === severity).length;
      return count === 0 ? [] : [`${count} ${severity}`];
    })
    .join(', ');
}

/** Renders `2 new, 1 carried, 3 fixed` without zero counts; '' for a first review. */
export function renderTally({ fresh, carried, fixed: now, fixedBefore = [] }: Tally): string {
  const fixed = now.length + fixedBefore.length;
  if (carried.length + fixed === 0) return '';
  const counts = { new: fresh.length, carried: carried.length, fixed };
  return Object.entries(counts)
    .flatMap(([word, count]) => (count === 0 ? [] : [`${count} ${word}`]))
    .join(', ');
}

export interface ReviewBody {
  readonly reconciled: Tally;
  /** Number of suggested changes. */
  readonly changes: number;
  readonly event: Verdict;
  /** False where the run broke off before it had seen everything. */
  readonly complete: boolean;
  /** Number of new findings without a comment on a line. */
  readonly listed: number;
  /** The address of the summary that lists them; null if it is not known yet. */
  readonly summaryUrl: string | null;
}

/** Renders the text of a review: one line. */
export function renderReviewBody(review: ReviewBody, plan: RunPlan): string {
  const marker = writeMarker('review', { run: plan.run_id, partial: review.complete ? undefined : '1' });
  return `${marker}\n${renderVerdict(review)}`;
}

/**
 * Renders `**2 findings**: 1 high, 1 low.` Later reviews: `**2 new, 1 carried, 3 fixed.** New: 1
 * high, 1 low.`
 */
function renderVerdict(review: ReviewBody): string {
  const { reconciled, changes, event } = review;
  const fresh = reconciled.fresh.map(({ finding }) => finding.severity);
  const carried = reconciled.carried.map(({ severity }) => severity);
  const tally = renderTally(reconciled);
  const first =
    fresh.length === 0 ? [] : [`**${countOf(fresh.length, 'finding')}**: ${countSeverities(fresh)}.`];
  const later = [
    `**${tally}.**`,
    ...(fresh.length === 0 ? [] : [`New: ${countSeverities(fresh)}.`]),
    ...(carried.length === 0 ? [] : [`Open from before: ${countSeverities(carried)}.`]),
  ];
  const word = event === 'APPROVE' ? ['**Nothing is open.**'] : [];
  return [
    ...(tally === '' ? first : later),
    ...renderListed(review),
    ...word,
    ...(changes === 0 ? [] : [`${countOf(changes, 'suggested change')}.`]),
  ].join(' ');
}

/** Renders where the new findings without a comment are: `3 of them are only in the summary.` */
function renderListed({ reconciled, listed, summaryUrl }: ReviewBody): string[] {
  const { fresh, carried, fixed } = reconciled;
  if (listed === 0) return [];
  const summary = summaryUrl === null ? 'summary' : `[summary](${summaryUrl})`;
  const verb = listed === 1 ? 'is' : 'are';
  const of = carried.length + fixed.length === 0 ? 'of them' : 'of the new ones';
  const which = listed < fresh.length ? `${listed} ${of}` : `The new ${listed === 1 ? 'one' : 'ones'}`;
  return [`${which} ${verb} only in the ${summary}.`];
}
