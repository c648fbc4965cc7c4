import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import type { PostedBoxes } from '../../contract/thread-records.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure, readApiRefusal } from '../posting/api-failure.ts';
import { findOwnComment } from '../posting/own-comment.ts';
import type { PublishLog } from '../posting/ports.ts';
import { writeMarker } from '../text/marker.ts';
import { requestUrl } from '../text/request-url.ts';
import { findInThread } from '../thread/post-in-thread.ts';
import { renderAnswered } from './render-question.ts';

/** A run that asked or was stopped, and the run that continues it. */
export interface AnsweredRun {
  /** Plan of the first run. */
  readonly asked: RunPlan;
  /** Plan of the run that continues. */
  readonly plan: RunPlan;
  /** The comment of the continued run; null if it has none yet. */
  readonly continuedAt: string | null;
}

interface ClosePorts {
  readonly octokit: Octokit;
  readonly ownLogin: string;
  readonly log: PublishLog;
}

/**
 * Closes the posts of an answered question: answer, author and links replace its text, also in the
 * review thread. A refused edit is logged.
 */
export async function closeQuestion(
  { comment_id, text }: PostedBoxes,
  question: Question,
  run: AnsweredRun,
  ports: ClosePorts,
): Promise<void> {
  const { asked, plan, continuedAt } = run;
  const { answer = '', answered_by: by = '' } = plan.resume ?? {};
  const url = requestUrl(plan);
  const links = [
    ...(url === null ? [] : [`[The answer](${url})`]),
    ...(continuedAt === null ? [] : [`[How it went on](${continuedAt})`]),
  ];
  const closed = [renderAnswered(question, answer, by === '' ? null : by), links.join(' · ')]
    .filter((part) => part !== '')
    .join('\n\n');
  const [marker = ''] = text.split('\n');
  const at = repoOf(plan);
  const { issues, pulls } = ports.octokit.rest;
  await tolerant('The question could not be closed.', ports, async () => {
    await issues.updateComment({ ...at, comment_id, body: `${marker}\n${closed}` });
    const reply = await findInThread('question', asked, ports);
    if (reply === null) return;
    const body = `${writeMarker('question', { run: asked.run_id })}\n${closed}`;
    await pulls.updateReviewComment({ ...at, comment_id: reply.id, body });
  });
}

/**
 * Deletes the report of a run that waited: the report of the continued run is about all of it. A
 * refusal is logged.
 */
export async function removeWaitingReport(asked: RunPlan, ports: ClosePorts): Promise<void> {
  const { thread } = asked;
  if (thread === null) return;
  const target = { octokit: ports.octokit, plan: asked, thread, ownLogin: ports.ownLogin };
  await tolerant('The report of the waiting run stays.', ports, async () => {
    for (const kind of ['progress', 'report'] as const) {
      const report = await findOwnComment(target, kind);
      if (report !== null)
        await ports.octokit.rest.issues.deleteComment({ ...repoOf(asked), comment_id: report.id });
    }
  });
}

/** The line of a report that says how a stopped run continues. See `renderNextStep`. */
const continueLine = /^To go on from here\b[^`]*`\/\S+ continue`/u;

/**
 * Replaces the line of a stopped run's report that says how it continues by a link to where it did.
 * Does nothing for a report without that line. A refusal is logged.
 */
export async function markContinued(
  { asked, plan, continuedAt }: AnsweredRun,
  ports: ClosePorts,
): Promise<void> {
  const url = continuedAt ?? requestUrl(plan);
  if (asked.thread === null || url === null) return;
  const target = { octokit: ports.octokit, plan: asked, thread: asked.thread, ownLogin: ports.ownLogin };
  await tolerant('The report of the stopped run still offers to continue it.', ports, async () => {
    for (const kind of ['progress', 'report'] as const) {
      const report = await findOwnComment(target, kind);
      const lines = report?.body.split('\n') ?? [];
      const at = lines.findLastIndex((line) => continueLine.test(line));
      if (report === null || at < 0) continue;
      const body = lines.with(at, `Continued [here](${url}).`).join('\n');
      await ports.octokit.rest.issues.updateComment({ ...repoOf(asked), comment_id: report.id, body });
    }
  });
}

/** Deletes our comments that say how a question is answered. A refusal is logged. */
export async function removeHints(
  asked: RunPlan,
  hints: readonly { readonly id: number; readonly inThread: boolean }[],
  ports: ClosePorts,
): Promise<void> {
  const { issues, pulls } = ports.octokit.rest;
  for (const { id, inThread } of hints)
    await tolerant('A hint to a wrong answer stays.', ports, async () => {
      const target = { ...repoOf(asked), comment_id: id };
      if (inThread) await pulls.deleteReviewComment(target);
      else await issues.deleteComment(target);
    });
}

/** Calls GitHub, and logs a sentence if it refuses. */
async function tolerant(sentence: string, { log }: ClosePorts, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (readApiFailure(error) === null) throw error;
    log.warn({ status: readApiRefusal(error).status }, sentence);
  }
}
