import { actionInputs } from '../../contract/action-inputs.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isReview, workOf } from '../../contract/work-of.ts';
import { openFindings } from '../review/fold-findings.ts';
import { codeSpan, countOf, oneLine, sentence } from '../text/markdown.ts';
import { publicCut, publicText } from '../text/public-text.ts';
import type { PublishedTriage } from '../thread/publish-triage.ts';
import { limitKeys } from './limit-keys.ts';
import type { ReportContext } from './published.ts';
import { successWord } from './success-word.ts';

type Posted = ReportContext['published'];

/** Renders the first lines of a report: the conclusion and what was posted. */
export function renderConclusion(outcome: Outcome, context: ReportContext): string {
  const word = {
    success: `${successWord(outcome, context.plan)}.`,
    failure: 'Failed.',
    limit: 'Stopped at a limit.',
    waiting: outcome.pending_approval === undefined ? 'Waiting for an answer.' : 'Waiting for approval.',
    cancelled: outcome.stop?.kind === 'superseded' ? 'Superseded.' : 'Cancelled.',
  }[outcome.conclusion];
  const stop = outcome.stop === null || outcome.conclusion === 'waiting' ? [] : [outcome.stop.message];
  const why = stop.map((message) => sentence(publicText(oneLine(message))));
  return [`**${word}**`, ...why, ...whatWasPosted(outcome, context)].join(' ');
}

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
    changes_issue && `Changes that are published nowhere else are in #${changes_issue.number}.`,
    published.patch === '' ? undefined : patchLocation(plan),
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

function patchLocation({ verb }: RunPlan): string {
  return verb === 'step'
    ? 'The changes are in the checkout of the job, and in the patch below.'
    : 'Changes that are published nowhere else are in the patch below.';
}

function triaged({ labels, duplicates }: PublishedTriage): string[] {
  const set = labels.length === 0 ? [] : [`Labels: ${labels.map(codeSpan).join(', ')}.`];
  if (duplicates.length === 0) return set;
  return [...set, `Perhaps the same as ${duplicates.map((number) => `#${number}`).join(', ')}.`];
}

/**
 * Returns how to continue an unfinished run; '' if there is nothing to do. `mention` is the word of
 * commands.
 */
export function renderHowToGoOn(outcome: Outcome, plan: RunPlan, mention: string | null = null): string {
  if (outcome.pending_approval !== undefined) {
    return 'Approve or deny it and the run goes on from where it is, with everything it did so far.';
  }
  if (outcome.conclusion === 'waiting') {
    return 'Answer the question and the run goes on from where it is, with everything it did so far.';
  }
  if (outcome.conclusion === 'success') return '';
  // A workflow may store nothing between its runs.
  const goOn =
    mention !== null && plan.source.kind === 'app' && plan.thread !== null
      ? codeSpan(`/${mention} continue`)
      : null;
  const kind = outcome.stop?.kind;
  const key = kind === undefined ? undefined : limitKeys[kind];
  if (key !== undefined)
    return goOn === null
      ? `To go on: ask again with what is left to do, or raise ${limitPlace(key, plan)}.`
      : `To go on from here, with a limit of its own: ${goOn}. Or raise ${limitPlace(key, plan)}.`;
  switch (kind) {
    case 'provider_refused':
      return 'To go on: put the task in other words, or choose another model.';
    case 'provider_failed':
      return 'To go on: check that the model’s endpoint is up and its key is valid, then ask again.';
    case 'answer_invalid':
      return 'To go on: make the output schema simpler, or choose another model.';
    case 'sandbox_missing':
      return 'To go on: run `anode doctor` on the machine that runs this and install what it names.';
    case 'internal_error':
      return 'To go on: look into the record of the run for the whole error, then ask again.';
    case 'superseded':
      return '';
    case 'cancelled':
      return goOn === null
        ? 'To start over, ask again.'
        : `To go on from here: ${goOn}. To start over, ask again.`;
    default:
      return 'To go on: look into the log of the run for the cause, then ask again.';
  }
}

/** Returns what raises a limit: the input of the workflow that set it, else its key and file. */
function limitPlace(key: string, { limits_by_input: byInput = [], config_file: file }: RunPlan): string {
  const input = Object.entries(actionInputs).find(([, one]) => one.key === key)?.[0];
  if (input !== undefined && byInput.includes(key)) return `the input ${codeSpan(input)} of the workflow`;
  return `${codeSpan(key)} in ${codeSpan(file ?? '.github/anode.yml')}`;
}

/** The reason that a run has no report. */
export interface RunEnd {
  readonly kind: 'failed' | 'cancelled' | 'superseded';
  /** The cause, as a sentence. */
  readonly message: string;
}

/** Renders the comment of a run without a report: the cause and what to do. */
export function renderEnd({ kind, message }: RunEnd, runUrl: string | null): string {
  const cause = publicCut(sentence(message.trim()), 2_000, '…');
  if (kind === 'superseded') return `**Superseded.** ${cause}`;
  if (kind === 'cancelled') return `**Cancelled.** ${cause}\n\nTo start over, ask again.`;
  const log = runUrl === null ? 'the log of the run' : `the [log of the run](${runUrl})`;
  return `**Failed.** ${cause}\n\nTo go on: look into ${log} for the cause, then ask again.`;
}
