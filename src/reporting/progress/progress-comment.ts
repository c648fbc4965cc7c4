import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { Clock } from '../../github/clock.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import { paidFor } from '../../github/create-octokit.ts';
import { readApiFailure, readRefusal } from '../posting/api-failure.ts';
import {
  type CommentPlace,
  createOwnComment,
  editOwnComment,
  markedBody,
  type OwnComment,
  postOwnComment,
} from '../posting/own-comment.ts';
import type { Log, ProgressComment } from '../posting/ports.ts';
import { foldProgress, renderProgress, startingView } from './render-progress.ts';

export interface ProgressCommentOptions {
  readonly octokit: Octokit;
  readonly plan: RunPlan;
  readonly ownLogin: string;
  readonly runUrl: string | null;
  readonly log: Log;
  readonly clock: Clock;
  /** The writes that all runs share; left out, there is no end of them. */
  readonly budget?: ContentBudget;
  /**
   * `comment` posts the report as a new comment, which notifies people, and deletes the progress
   * comment.
   */
  readonly notify?: 'edit' | 'comment';
}

/**
 * Returns the minimum milliseconds between two edits. It grows with their number, since all runs of
 * an installation share a write limit.
 */
export function editInterval(edits: number): number {
  if (edits < 20) return 3_000;
  return edits < 60 ? 10_000 : 30_000;
}

/**
 * Posts the progress comment of a run, or finds that of an earlier attempt. Edits are coalesced,
 * never concurrent, and made only if the text changes. Null for a plan without a thread.
 */
export async function startProgressComment(options: ProgressCommentOptions): Promise<ProgressComment | null> {
  const { octokit, plan, ownLogin, runUrl, log, clock, budget, notify = 'edit' } = options;
  if (plan.thread === null) return null;
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  let view = startingView;
  let comment: OwnComment = await postOwnComment(place, 'progress', renderProgress(view, runUrl));
  let cancelTimer: (() => void) | null = null;
  let underWay: Promise<void> | null = null;
  const closing = new AbortController();
  let settled = false;
  let edits = 0;
  let lastEdit = clock.now();

  const schedule = (): void => {
    if (closing.signal.aborted || cancelTimer !== null || underWay !== null) return;
    cancelTimer = clock.later(Math.max(0, lastEdit + editInterval(edits) - clock.now()), () => {
      cancelTimer = null;
      underWay = edit().finally(() => {
        underWay = null;
        if (isStale()) schedule();
      });
    });
  };
  let failedText: string | null = null;
  let defect: unknown = null;
  const isStale = (): boolean => {
    const text = renderProgress(view, runUrl);
    return markedBody(plan, 'progress', text) !== comment.body && text !== failedText;
  };
  const edit = async (): Promise<void> => {
    if (!isStale()) return;
    let text: string | null = null;
    try {
      // Waits before it renders: by then there may be more to tell.
      if (budget !== undefined && !(await budget.take('progress', closing.signal))) return;
      text = renderProgress(view, runUrl);
      comment = await editOwnComment({ ...place, request: paidFor }, 'progress', comment.id, text);
    } catch (error) {
      failedText = text;
      const failure = readApiFailure(error);
      if (failure === null) {
        // Nobody waits for an edit: whoever ends the run is told.
        defect ??= error;
        closing.abort();
        return;
      }
      log.warn({ comment: comment.id, status: failure.status }, 'The progress comment could not be edited.');
    }
    edits += 1;
    lastEdit = clock.now();
  };
  const leave = async (): Promise<void> => {
    closing.abort();
    cancelTimer?.();
    await underWay;
  };
  const stopEditing = async (): Promise<void> => {
    await leave();
    if (defect !== null) throw defect;
  };
  const takeAway = async (client: Octokit): Promise<void> => {
    try {
      const { owner, name: repo } = plan.repository;
      await client.rest.issues.deleteComment({ owner, repo, comment_id: comment.id });
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
    }
  };
  const close = async (body: string, client: Octokit): Promise<{ id: number; url: string }> => {
    const fresh = { ...place, octokit: client };
    await stopEditing();
    if (notify === 'comment') {
      const report = await postReport(fresh, body);
      await takeAway(client);
      settled = true;
      return { id: report.id, url: report.url };
    }
    try {
      // An earlier attempt may have said it.
      if (comment.body !== markedBody(plan, 'progress', body))
        comment = await editOwnComment(fresh, 'progress', comment.id, body);
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
      comment = await createOwnComment(fresh, 'progress', body);
    }
    settled = true;
    return { id: comment.id, url: comment.url };
  };

  return {
    id: comment.id,
    url: comment.url,
    update(event) {
      const next = foldProgress(view, event);
      if (next === view) return;
      view = next;
      schedule();
    },
    finish: (body, client = octokit) => close(body, client),
    async remove(client = octokit) {
      await stopEditing();
      await takeAway(client);
      settled = true;
    },
    isSettled: () => settled,
    leave,
    async fail(body, triedAgain = false) {
      if (settled) return;
      try {
        await close(body, octokit);
      } catch (error) {
        const { status } = readRefusal(error, triedAgain);
        log.warn({ comment: comment.id, status }, 'The progress comment could not be closed.');
      }
    },
  };
}

/** Posts the report as a comment, or updates the one of an earlier attempt. */
async function postReport(place: CommentPlace, body: string): Promise<OwnComment> {
  const posted = await postOwnComment(place, 'report', body);
  if (posted.body === markedBody(place.plan, 'report', body)) return posted;
  return editOwnComment(place, 'report', posted.id, body);
}
