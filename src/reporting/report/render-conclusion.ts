import { append } from '../../contract/lists.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { type RunPlan, workOf } from '../../contract/plan.ts';
import { codeSpan, countOf, oneLine, sentence } from '../text/markdown.ts';
import { publicCut, publicText } from '../text/public-text.ts';
import type { PublishedTriage } from '../thread/publish-triage.ts';
import { limitKeys } from './limit-keys.ts';
import type { ReportContext } from './published.ts';

/** The first lines of a report: how the run ended, in words, and what it put where. */
export function renderConclusion(outcome: Outcome, context: ReportContext): string {
  const word = {
    success: 'Done.',
    failure: 'Failed.',
    limit: 'Stopped at a limit.',
    waiting: outcome.pending_approval === undefined ? 'Waiting for an answer.' : 'Waiting for approval.',
    cancelled: outcome.stop?.kind === 'superseded' ? 'Superseded.' : 'Cancelled.',
  }[outcome.conclusion];
  const stop = outcome.stop === null || outcome.conclusion === 'waiting' ? [] : [outcome.stop.message];
  const why = stop.map((message) => sentence(publicText(oneLine(message))));
  return [`**${word}**`, ...why, ...whatWasPosted(outcome, context)].join(' ');
}

function whatWasPosted(
  outcome: Outcome,
  { plan, published, findings, carried, tally = '' }: ReportContext,
): string[] {
  const { commit, pull_request, review, question, approval, issues, changes_issue } = published;
  const files = countOf(outcome.changes.files.length, 'file');
  const facts: string[] = [];
  const commitLink = commit === undefined ? '' : `[${codeSpan(commit.sha.slice(0, 7))}](${commit.url})`;
  if (pull_request !== undefined) facts.push(`Opened #${pull_request.number} with ${files} changed.`);
  else if (commit !== undefined)
    facts.push(`Committed ${commitLink} to ${codeSpan(commit.branch)}: ${files} changed.`);
  if (review !== undefined)
    facts.push(
      `[Review](${review.url}) with ${countOf(review.comments, 'comment')} on lines${tally === '' ? '' : `: ${tally}`}.`,
    );
  if (question !== undefined) facts.push(`[The question](${question.url}) is below.`);
  if (published.plan !== undefined) facts.push(`[The plan](${published.plan.url}) is below.`);
  if (approval !== undefined) facts.push(`[What it wants to do](${approval.url}) is below.`);
  if (workOf(plan) === 'review' && outcome.conclusion === 'success' && review === undefined) {
    if (outcome.unreported !== undefined)
      facts.push(
        `Nothing was reported with ${codeSpan(outcome.unreported)}: what the review found, if anything, stands in its words alone, and nothing told before was settled by it.`,
      );
    else if (tally !== '') facts.push(`${carried > 0 ? 'Nothing new' : 'Nothing is open'}: ${tally}.`);
    else if (outcome.findings.length === 0) facts.push('No findings.');
    else if (findings.length === 0) facts.push('Nothing new.');
  }
  if (published.described === true) facts.push('The description says what changes.');
  if (published.triage !== undefined) append(facts, triaged(published.triage));
  for (const { number, started, follow } of issues) {
    const where = follow ? `, where it goes on` : '';
    facts.push(`Handed over in #${number}${started ? ', where a run is started' : where}.`);
  }
  if (changes_issue !== undefined)
    facts.push(`Changes that stand nowhere else are in #${changes_issue.number}.`);
  if (published.patch !== '') {
    const inCheckout = 'The changes stand in the checkout of the job, and as a patch below.';
    facts.push(plan.verb === 'step' ? inCheckout : 'Changes that stand nowhere else are in the patch below.');
  }
  return facts;
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
  const file = codeSpan(plan.config_file ?? '.github/anode.yml');
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
      ? `To go on: ask again with what is left to do, or raise ${codeSpan(key)} in ${file}.`
      : `To go on from here, with a limit of its own: ${goOn}. Or raise ${codeSpan(key)} in ${file}.`;
  switch (kind) {
    case 'provider_refused':
      return 'To go on: put the task in other words, or choose another model.';
    case 'provider_failed':
      return 'To go on: check that the model’s endpoint is up and its key is valid, then ask again.';
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

/** Why a run has no report, in words for people. */
export interface RunEnd {
  readonly kind: 'failed' | 'cancelled' | 'superseded';
  /** The cause, as a sentence. */
  readonly message: string;
}

/** Renders the comment of a run without a report: the cause and what to do. */
export function renderEnd({ kind, message }: RunEnd, runUrl: string | null): string {
  const words = publicCut(sentence(message.trim()), 2_000, '…');
  if (kind === 'superseded') return `**Superseded.** ${words}`;
  if (kind === 'cancelled') return `**Cancelled.** ${words}\n\nTo start over, ask again.`;
  const log = runUrl === null ? 'the log of the run' : `the [log of the run](${runUrl})`;
  return `**Failed.** ${words}\n\nTo go on: look into ${log} for the cause, then ask again.`;
}
