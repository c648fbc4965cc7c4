import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isReview, workOf } from '../../contract/work-of.ts';
import { openFindings } from '../review/fold-findings.ts';
import { codeSpan, countOf, cutText, oneLine, sentence } from '../text/markdown.ts';
import { publicText } from '../text/public-text.ts';
import type { PublishedTriage } from '../thread/publish-triage.ts';
import type { ReportContext } from './published.ts';
import { reasonAtOnce, successWord } from './success-word.ts';

type Posted = ReportContext['published'];

/** Renders the first lines of a report: the conclusion and what was posted. */
export function renderConclusion(outcome: Outcome, context: ReportContext): string {
  const { plan, published } = context;
  const reason = reasonAtOnce(outcome, plan, published);
  const word = {
    success: reason === undefined ? `${successWord(outcome, plan, published)}.` : shortened(reason),
    failure: 'Failed.',
    limit: 'Stopped at a limit.',
    waiting: outcome.pending_approval === undefined ? 'Waiting for an answer.' : 'Waiting for approval.',
    cancelled: outcome.stop?.kind === 'superseded' ? 'Superseded.' : 'Cancelled.',
  }[outcome.conclusion];
  const stop = outcome.stop === null || outcome.conclusion === 'waiting' ? [] : [outcome.stop.message];
  const why = stop.map((message) => sentence(publicText(oneLine(message))));
  return [`**${word}**`, ...why, ...whatWasPosted(outcome, context)].join(' ');
}

const shortened = (reason: string): string => sentence(cutText(oneLine(reason), 600, '…'));

/** Renders how a review ended that did not come to its end, or told nothing; '' for any other. */
export function renderUnfinished(outcome: Outcome, context: ReportContext): string {
  const { conclusion, unreported } = outcome;
  if (conclusion !== 'success') return renderConclusion(outcome, context);
  return unreported === undefined ? '' : (withoutReview(outcome, context) ?? '');
}

function whatWasPosted(outcome: Outcome, context: ReportContext): string[] {
  const { plan, published, tally = '' } = context;
  const { review, question, approval, changes_issue, summary } = published;
  const counts = tally === '' ? '' : `: ${tally}`;
  const facts = [
    committed(outcome, published),
    summary && isReview(plan)
      ? `[Summary](${summary.url})${summaryCounts(outcome, context)}.`
      : review && `[Review](${review.url}) with ${countOf(review.comments, 'comment')} on lines${counts}.`,
    question && `[The question](${question.url}) is below.`,
    published.plan && `[The plan](${published.plan.url}) is below.`,
    approval && `[What it wants to do](${approval.url}) is below.`,
    review === undefined && (summary === undefined || outcome.unreported !== undefined)
      ? withoutReview(outcome, context)
      : undefined,
    published.described === true ? 'The description says what changes.' : undefined,
    ...(published.triage === undefined ? [] : triaged(published.triage)),
    ...published.issues.map(handedOver),
    changes_issue && `${leftChanges(outcome, published)} in #${changes_issue.number}.`,
    published.patch === ''
      ? undefined
      : `${leftChanges(outcome, published)} ${patchLocation(plan, published)}.`,
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Returns what a review found, after a link to the summary. */
function summaryCounts(
  { unreported, conclusion }: Outcome,
  { published, tally = '' }: ReportContext,
): string {
  if (unreported !== undefined || conclusion === 'failure' || conclusion === 'cancelled') return '';
  if (tally !== '') return `: ${tally}`;
  const { told = [] } = published;
  const open = openFindings(told).length;
  const nothing = told.length === 0 ? 'no findings' : 'nothing is open';
  return `: ${open === 0 ? nothing : countOf(open, 'open finding')}`;
}

function committed({ changes }: Outcome, { commit, pull_request: pull }: Posted): string | undefined {
  const files = countOf(changes.files.length, 'file');
  if (pull !== undefined) return `Opened #${pull.number} with ${files} changed.`;
  if (commit === undefined) return undefined;
  const link = `[${codeSpan(commit.sha.slice(0, 7))}](${commit.url})`;
  return `Committed ${link} to ${codeSpan(commit.branch)}: ${files} changed.`;
}

/** Returns the result of a successful review that posted nothing. */
function withoutReview(
  { conclusion, unreported, findings: all }: Outcome,
  { plan, findings, carried, tally = '' }: ReportContext,
): string | undefined {
  if (workOf(plan) !== 'review' || conclusion !== 'success') return undefined;
  if (unreported !== undefined)
    return `The review did not call ${codeSpan(unreported)}. Anything it found is only in its answer, and earlier findings stay as they were.`;
  if (tally !== '') return `${carried > 0 ? 'Nothing new' : 'Nothing is open'}: ${tally}.`;
  if (all.length === 0) return 'No findings.';
  return findings.length === 0 ? 'Nothing new.' : undefined;
}

function handedOver({ number, started, follow }: Posted['issues'][number]): string {
  const where = follow ? ', where it goes on' : '';
  return `Handed over in #${number}${started ? ', where a run is started' : where}.`;
}

/** Begins the sentence on what became no commit and no suggestion. */
function leftChanges({ changes }: Outcome, { commit, review }: Posted): string {
  if (changes.files.length === 0) return 'The proposed changes are';
  return commit === undefined && review === undefined ? 'The changes are' : 'The other changes are';
}

function patchLocation({ verb }: RunPlan, { handedOn }: Posted): string {
  const where = verb === 'step' ? 'in the checkout of the job, and in the patch below' : 'in the patch below';
  return handedOn === true ? `${where}, and wait for the publishing job` : where;
}

function triaged({ labels, duplicates }: PublishedTriage): string[] {
  const set = labels.length === 0 ? [] : [`Labels: ${labels.map(codeSpan).join(', ')}.`];
  if (duplicates.length === 0) return set;
  return [...set, `Perhaps the same as ${duplicates.map((number) => `#${number}`).join(', ')}.`];
}
