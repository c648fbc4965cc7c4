import type { Config } from '../../config/schema.ts';
import type { Finding, Severity, ToldFinding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isReview } from '../../contract/work-of.ts';
import { isAtLeast, requestsChanges } from '../findings/decide-verdict.ts';
import { renderCost } from '../progress/render-progress.ts';
import type { Published } from '../report/published.ts';
import { renderFindingsTable, unlistedFindings } from '../review/render-finding.ts';
import { countSeverities } from '../review/render-review.ts';
import { countOf, cutMarkdown, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** The conclusion of a check run. */
export type CheckConclusion = 'success' | 'neutral' | 'failure' | 'cancelled';

/** One remark on lines of the head, as the API takes it. */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
}

/** A button below a check run; pressing it is an event that names `identifier`. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/**
 * Returns the conclusion for the commit. Only findings that `review.requestChanges` or
 * `review.failOn` block fail it: our own errors must not block a merge.
 */
export function checkConclusion(
  outcome: Pick<Outcome, 'conclusion' | 'profile' | 'unreported'>,
  open: readonly Severity[],
  settings: NonNullable<Config['review']>,
): CheckConclusion {
  if (outcome.conclusion === 'cancelled') return 'cancelled';
  if (outcome.conclusion === 'failure') return 'neutral';
  const blocks = requestsChanges(open, settings) || isAtLeast(open, settings.failOn);
  if (isReview(outcome) && blocks) return 'failure';
  const isComplete = outcome.conclusion === 'success' && outcome.unreported === undefined;
  return isComplete && open.length === 0 ? 'success' : 'neutral';
}

/**
 * Returns the line beside the check: `2 findings: 1 high, 1 low`. At most 140 characters, as for a
 * commit status. `done` is the text of a success without findings.
 */
export function checkTitle(
  outcome: Pick<Outcome, 'conclusion' | 'profile' | 'stop' | 'unreported'>,
  open: readonly Severity[],
  done = 'Done',
): string {
  const found = open.length === 0 ? '' : `${countOf(open.length, 'finding')}: ${countSeverities(open)}`;
  const ended = {
    success: outcome.unreported === undefined ? '' : 'Nothing was reported',
    failure: 'Failed',
    limit: 'Stopped at a limit',
    waiting: 'Waiting for an answer',
    cancelled: 'Cancelled',
  }[outcome.conclusion];
  const well = isReview(outcome) ? 'Nothing found' : done;
  return cutText([ended, found].filter((part) => part !== '').join('. ') || well, 140, '…');
}

/** GitHub Docs, "Create a check run": a summary has 65,535 characters at most. */
const maximumSummary = 65_000;

/** Renders the page of the check run: the report or a link to it, and every open finding once. */
export function checkSummary(
  outcome: Outcome,
  findings: readonly Finding[],
  plan: RunPlan,
  published: Pick<Published, 'comment' | 'summary' | 'review' | 'report' | 'told' | 'question' | 'approval'>,
): string {
  const { comment, summary, question = published.approval } = published;
  // The report that a run waits goes away with the answer.
  const hasReport = question === undefined && comment !== undefined && comment.id !== summary?.id;
  const links = [
    ...(summary === undefined ? [] : [`[Summary](${summary.url})`]),
    ...(question === undefined ? [] : [`[Question](${question.url})`]),
    ...(hasReport ? [`[Report](${comment.url})`] : []),
    ...(published.review === undefined ? [] : [`[Review](${published.review.url})`]),
  ];
  const report = published.comment === undefined ? published.report : '';
  const table = renderFindingsTable(unlistedFindings(findings, report, plan), plan, 30_000);
  const cost = outcome.cost_usd === null ? '' : `, ${renderCost(outcome.cost_usd)}`;
  const facts = `${countOf(outcome.turns, 'turn')}, ${countOf(outcome.tool_calls, 'tool call')}${cost}`;
  const parts = [
    links.join(' · '),
    table,
    settledText(published.told ?? []),
    report,
    `<sub>${facts}</sub>`,
  ].filter((part) => part !== '');
  return cutMarkdown(parts.join('\n\n'), maximumSummary, '\n\n[cut]');
}

/** `Settled: 2 fixed, 1 dismissed, 1 outside the changes.`; '' for none. */
function settledText(told: readonly ToldFinding[]): string {
  const counts = (['fixed', 'dismissed', 'outside'] as const).flatMap((state) => {
    const count = told.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${state === 'outside' ? 'outside the changes' : state}`];
  });
  return counts.length === 0 ? '' : `Settled: ${counts.join(', ')}.`;
}

const levels = {
  info: 'notice',
  low: 'notice',
  medium: 'warning',
  high: 'failure',
  critical: 'failure',
} as const;

/** Findings on lines of the head, in their order; those on deleted lines have no line there. */
export function checkAnnotations(findings: readonly Finding[]): Annotation[] {
  return findings
    .filter(({ side }) => side === 'RIGHT')
    .map(({ path, start_line, line, severity, title, body }) => ({
      path,
      start_line: Math.min(start_line ?? line, line),
      end_line: Math.max(start_line ?? line, line),
      annotation_level: levels[severity],
      title: `${severity}: ${publicCut(oneLine(title), 248 - severity.length, '…')}`,
      message: publicCut(body.trim() || title, 16_000, '…'),
    }));
}

/**
 * Returns the buttons of a finished run. Each button is authorized like the command of its name.
 */
export function checkActions(outcome: Outcome, plan: RunPlan): CheckAction[] {
  // No workflow gets these events.
  if (plan.source.kind !== 'app') return [];
  const again = {
    label: 'Run again',
    description: 'Do what was asked for last once more',
    identifier: 'retry',
  };
  const fix = { label: 'Fix', description: 'Have the findings fixed in a commit', identifier: 'fix' };
  const fixable = isReview(outcome) && outcome.findings.length > 0 && !plan.checkout.fork;
  return fixable ? [again, fix] : [again];
}
