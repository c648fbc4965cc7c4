import { shownFindingId } from '../../contract/finding-id.ts';
import type { ToldFinding } from '../../contract/findings.ts';
import { type Severity, severityRank } from '../../contract/findings.ts';
import type { LinkTarget } from '../../contract/plan.ts';
import type { PullSummary } from '../../contract/pull-summary.ts';
import { renderCost } from '../progress/render-progress.ts';
import { openFindings } from '../review/fold-findings.ts';
import { compareFindings, renderFindingLine, renderFindingTitle } from '../review/render-finding.ts';
import { countSeverities, findingMark } from '../review/render-review.ts';
import {
  codeSpan,
  countOf,
  cutMarkdown,
  cutText,
  foldedSection,
  maximumBody,
  oneLine,
} from '../text/markdown.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { renderWalkthrough } from './render-walkthrough.ts';

/** Characters for the hidden lines, and for boxes below the text. */
const reserved = 20_000;
/** Maximum characters of the reason for a dismissal. */
const longestReason = 200;
/** Characters of each list. Findings beyond are counted. */
const budgets = { open: 16_000, folded: 8_000, settled: 4_000 } as const;

/** The content of a summary besides its findings. */
export type SummaryParts = Pick<
  PullSummary,
  'base' | 'base_before' | 'head' | 'merged' | 'news' | 'notes' | 'walkthrough' | 'runs' | 'footer' | 'run_id'
>;

/** The settings that a summary is rendered by. */
export interface SummarySettings {
  /** The least severity that gets a thread. */
  readonly threadsFrom: Severity;
  /** The word of commands, to say how a finding is dismissed by its id; null if none can be. */
  readonly mention: string | null;
}

/**
 * Renders the summary of a pull request without its hidden lines and boxes. Open and new findings
 * come first, then what the pull request does, then the rest, folded.
 */
export function renderPullSummary(
  told: readonly ToldFinding[],
  parts: SummaryParts,
  plan: LinkTarget,
  { threadsFrom, mention }: SummarySettings,
): string {
  const open = openFindings(told).toSorted(compareTold);
  const least = severityRank(threadsFrom);
  const isFolded = ({ thread, finding }: ToldFinding) =>
    thread === null && severityRank(finding.severity) < least;
  const main = open.filter((one) => !isFolded(one));
  const folded = open.filter(isFolded);
  const { walkthrough } = parts;
  // In a first review everything is new.
  const isLater = parts.news.startsWith('Since ') || open.some(({ state }) => state === 'carried');
  const isDismissible = mention !== null;
  const render = (one: ToldFinding) => {
    const fresh = isLater && one.state === 'new' ? ' _new_' : '';
    const id = isDismissible && one.thread === null ? ` ${codeSpan(shownFindingId(one.id, told))}` : '';
    const suggests = one.thread === null && one.finding.suggestion !== undefined;
    return openLine(one, plan, `${fresh}${suggests ? ' _with a suggestion_' : ''}${id}`);
  };
  const advice = (shown: readonly ToldFinding[]) => howToDismiss(shown, told, mention);
  const text = [
    heading(told, parts, plan),
    retargeted(parts),
    parts.news,
    list(main, budgets.open, render),
    advice(main),
    folded.length === 0
      ? ''
      : foldedSection(
          `${countOf(folded.length, 'smaller finding')}: ${severities(folded)}`,
          [list(folded, budgets.folded, render), advice(folded)].filter((part) => part !== '').join('\n\n'),
        ),
    walkthrough === null ? '' : `### What changes\n\n${renderWalkthrough(walkthrough, hostsOf(plan))}`,
    parts.notes,
    renderSettled(told, plan),
    renderCosts(parts),
  ];
  const whole = text.filter((part) => part !== '').join('\n\n');
  return cutMarkdown(whole, maximumBody - reserved, '\n\n[cut]');
}

function heading(told: readonly ToldFinding[], { head, merged }: SummaryParts, plan: LinkTarget): string {
  const open = openFindings(told);
  const nothing = told.length === 0 ? 'No findings.' : 'Nothing is open.';
  const counts =
    open.length === 0
      ? `**${merged ? 'Merged. ' : ''}${nothing}**`
      : `**${merged ? 'Merged with ' : ''}${countOf(open.length, 'open finding')}**: ${severities(open)}.`;
  return head === null ? counts : `${counts} Reviewed up to ${commitLink(head, plan)}.`;
}

/** Renders the new base branch of a pull request that was retargeted; '' for any other. */
function retargeted({ base, base_before: before }: SummaryParts): string {
  if (base === undefined || before === undefined) return '';
  const name = (branch: string) => codeSpan(cutText(branch, 200, '…'));
  return `Now against ${name(base)}; it was against ${name(before)}.`;
}

/** ``[`abc1234`](…/commit/…)`` */
export function commitLink(sha: string, { repository }: LinkTarget): string {
  return `[${codeSpan(sha.slice(0, 7))}](${repository.clone_url.replace(/\.git$/u, '')}/commit/${sha})`;
}

const severities = (told: readonly ToldFinding[]): string =>
  countSeverities(told.map(({ finding }) => finding.severity));

/** Returns how to dismiss a finding that has no thread to answer in; '' if all have one. */
function howToDismiss(
  shown: readonly ToldFinding[],
  told: readonly ToldFinding[],
  mention: string | null,
): string {
  const one = shown.find(({ thread }) => thread === null);
  if (one === undefined || mention === null) return '';
  return `<sub>To dismiss one: ${codeSpan(`/${mention} dismiss ${shownFindingId(one.id, told)} reason`)}</sub>`;
}

/**
 * A finding with a thread is one line with a link to it. Any other has its whole text. `mark`
 * follows the severity.
 */
function openLine(one: ToldFinding, plan: LinkTarget, mark: string): string {
  const { finding, thread } = one;
  if (thread === null) return renderFindingLine(finding, plan, `${mark}${findingMark(one, plan.run_id)}`);
  return `- **${finding.severity}**${mark} · ${threadLink(one, plan)} ${renderFindingTitle(finding)}`;
}

/** Links to the conversation of a finding. Without one, its location stands alone. */
function threadLink({ finding, thread }: ToldFinding, plan: LinkTarget): string {
  const label = codeSpan(`${finding.path}:${finding.line}`);
  if (thread === null) return label;
  const root = plan.repository.clone_url.replace(/\.git$/u, '');
  return `[${label}](${root}/pull/${plan.thread?.number ?? 0}#discussion_r${thread})`;
}

function renderSettled(told: readonly ToldFinding[], plan: LinkTarget): string {
  const of = (state: ToldFinding['state']) => told.filter((one) => one.state === state).toSorted(compareTold);
  const [fixed, dismissed, outside] = [of('fixed'), of('dismissed'), of('outside')];
  const counts = Object.entries({ fixed, dismissed, 'outside the changes': outside }).flatMap(([end, all]) =>
    all.length === 0 ? [] : [`${all.length} ${end}`],
  );
  if (counts.length === 0) return '';
  const render = (one: ToldFinding): string => {
    const how = endOf(one, plan);
    // The lines of a resolved finding may have been deleted: its conversation displays them as
    // they were.
    return `- ${how}: ${threadLink(one, plan)} ${renderFindingTitle(one.finding)}`;
  };
  // A long list is cut: what people decided comes first, and what no commit is known for last.
  const [known, gone] = [fixed.filter(isKnown), fixed.filter((one) => !isKnown(one))];
  const all = [...dismissed, ...known, ...outside, ...gone];
  return foldedSection(`Settled: ${counts.join(', ')}`, list(all, budgets.settled, render));
}

/** True if a commit or a review is known to have ended a finding. */
const isKnown = ({ by, reason }: ToldFinding): boolean => by !== null || reason !== undefined;

/** Returns how a settled finding ended. */
function endOf(one: ToldFinding, plan: LinkTarget): string {
  if (one.state === 'outside') return 'not among the changed files now';
  return one.state === 'fixed' ? fixedBy(one, plan) : dismissedBy(one);
}

const dismissedBy = (one: ToldFinding): string =>
  `dismissed${one.by === null ? '' : ` by ${one.by}`}${quotedReason(one)}`;

function fixedBy(one: ToldFinding, plan: LinkTarget): string {
  if (one.by !== null) return `fixed by ${commitLink(one.by, plan)}`;
  return one.reason === undefined ? 'no longer present' : `closed by a review${quotedReason(one)}`;
}

const quotedReason = ({ reason }: ToldFinding): string =>
  reason === undefined ? '' : ` (“${publicCut(oneLine(reason), longestReason, '…')}”)`;

function renderCosts({ runs, footer }: SummaryParts): string {
  const dollars = runs.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
  const tokens = runs.reduce((sum, run) => sum + run.tokens, 0);
  const unknown = runs.some((run) => run.cost_usd === null && run.tokens > 0);
  const known = unknown ? `at least ${renderCost(dollars)}` : renderCost(dollars);
  const cost = unknown && dollars === 0 ? 'cost unknown' : known;
  const facts = [`${countOf(runs.length, 'run')} so far`, `${tokens.toLocaleString('en-US')} tokens`, cost];
  return `<sub>${[...facts, ...(footer === '' ? [] : [footer])].join(' · ')}</sub>`;
}

/** The first items that fit into a budget, then the number of the others. */
function list(told: readonly ToldFinding[], budget: number, render: (one: ToldFinding) => string): string {
  const lines: string[] = [];
  let size = 0;
  for (const one of told) {
    const line = render(one);
    if (size + line.length > budget) break;
    lines.push(line);
    size += line.length + 1;
  }
  const more = told.length - lines.length;
  return [...lines, ...(more === 0 ? [] : [`- … and ${more} more`])].join('\n');
}

const compareTold = (a: ToldFinding, b: ToldFinding): number => compareFindings(a.finding, b.finding);
