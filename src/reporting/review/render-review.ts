import { Severity } from '../../contract/findings.ts';
import { append } from '../../contract/lists.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Verdict } from '../findings/decide-verdict.ts';
import type { NamedFinding, Reconciled } from '../findings/reconcile.ts';
import { countOf, cutText, maximumBody } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';
import { renderFindingLine } from './render-finding.ts';

/** The findings of a review by state. */
export type Tally = Pick<Reconciled, 'fresh' | 'carried' | 'fixed'>;

/**
 * Renders the hidden line of a finding: its id, and the fields that identify it without a record.
 */
export function findingMark({ id, finding }: NamedFinding): string {
  const { severity, path, line } = finding;
  const category = cutText(finding.category, 60, '');
  return writeMarker('finding', {
    fp: id,
    severity,
    category,
    check: finding.check,
    path: path.length > 300 ? undefined : path,
    line: path.length > 300 ? undefined : String(line),
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
export function renderTally({ fresh, carried, fixed }: Tally): string {
  if (carried.length + fixed.length === 0) return '';
  const counts = { new: fresh.length, carried: carried.length, fixed: fixed.length };
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
  /** Findings without a line on this diff. */
  readonly unplaceable: readonly NamedFinding[];
  /** Findings for which the number of comments does not reach. */
  readonly overBudget: readonly NamedFinding[];
}

/** The text of a review, as many of its findings as it holds; the others come back. */
export function renderReviewBody(
  review: ReviewBody,
  plan: RunPlan,
): { readonly body: string; readonly unplaced: readonly NamedFinding[] } {
  const note = '\n\nMore findings are in the report.';
  const folded = '\n\n</details>';
  let body = `${writeMarker('review', { run: plan.run_id, partial: review.complete ? undefined : '1' })}\n${renderVerdict(review)}`;
  const budget = maximumBody - note.length - folded.length;
  const unplaced: NamedFinding[] = [];
  const list = (title: string, findings: readonly NamedFinding[], end: string): void => {
    const items = findings.map(
      (one) => `\n${marked(renderFindingLine(one.finding, plan), findingMark(one))}`,
    );
    let text = title;
    const start = body.length;
    for (const [index, item] of items.entries()) {
      if (start + text.length + item.length > budget) {
        append(unplaced, findings.slice(index));
        break;
      }
      text += item;
    }
    if (text !== title) body += text + end;
  };
  list('\n\nNot on lines of this diff:\n', review.unplaceable, '');
  const more = countOf(review.overBudget.length, 'more finding');
  list(`\n\n<details><summary>${more}</summary>\n`, review.overBudget, folded);
  return { body: unplaced.length === 0 ? body : body + note, unplaced };
}

/**
 * Adds the hidden line to an item. An item with code gets a separate paragraph: a fence does not
 * close with text behind it.
 */
function marked(item: string, mark: string): string {
  return /```|~~~|\n(?: {4}|\s*\t)/u.test(item) ? `${item}\n\n  ${mark}` : `${item} ${mark}`;
}

/**
 * Renders `**2 findings**: 1 high, 1 low.` Later reviews: `**2 new, 1 carried, 3 fixed.** New: 1
 * high, 1 low.`
 */
function renderVerdict({ reconciled, changes, event }: ReviewBody): string {
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
    ...word,
    ...(changes === 0 ? [] : [`${countOf(changes, 'suggested change')}.`]),
  ].join(' ');
}
