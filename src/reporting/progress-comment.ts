import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../contract/plan.ts';
import type { RunEvent } from '../contract/run-event.ts';
import { readApiFailure } from './api-failure.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { cutText } from './markdown.ts';
import {
  createOwnComment,
  editOwnComment,
  markedBody,
  type OwnComment,
  postOwnComment,
} from './own-comment.ts';
import { foldProgress, startingView } from './progress-view.ts';
import { publicText } from './public-text.ts';
import { renderProgress } from './render-progress.ts';

/** The one comment that shows a run while it goes on and ends as its report. */
export interface ProgressComment {
  readonly id: number;
  readonly url: string;
  /** Takes note of an event; an edit follows when it is due. Never waits, never throws. */
  update(event: RunEvent): void;
  /**
   * Replaces the progress by the report, after any edit under way. A deleted comment is made anew. `client` is
   * one with a fresh token: a run may outlive the token it started with.
   */
  finish(body: string, client?: Octokit): Promise<{ readonly id: number; readonly url: string }>;
  /** Deletes the comment, in place of `finish`. */
  remove(client?: Octokit): Promise<void>;
  /** Closes the comment of a run that crashed; does nothing after `finish`. Failures are logged only. */
  fail(message: string): Promise<void>;
}

export interface ProgressCommentOptions {
  readonly octokit: Octokit;
  readonly plan: RunPlan;
  readonly ownLogin: string;
  readonly runUrl: string | null;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * The least time between two edits, in milliseconds. It grows with the number of edits: GitHub allows an
 * account 80 writes of content a minute and 500 an hour (GitHub Docs, "Rate limits for the REST API"), which
 * all runs of an installation share.
 */
export function editInterval(edits: number): number {
  if (edits < 20) return 3_000;
  return edits < 60 ? 10_000 : 30_000;
}

/**
 * Posts the progress comment of a run, or finds the one that an earlier attempt at the same run posted. Edits
 * are coalesced, never concurrent, and only made when the text changes. Null for a plan without a thread.
 */
export async function startProgressComment(options: ProgressCommentOptions): Promise<ProgressComment | null> {
  const { octokit, plan, ownLogin, runUrl, log, clock } = options;
  if (plan.thread === null) return null;
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  let view = startingView;
  let comment: OwnComment = await postOwnComment(place, 'progress', renderProgress(view, runUrl));
  let cancelTimer: (() => void) | null = null;
  let underWay: Promise<void> | null = null;
  let closed = false;
  let edits = 0;
  let lastEdit = clock.now();

  const schedule = (): void => {
    if (closed || cancelTimer !== null || underWay !== null) return;
    cancelTimer = clock.later(Math.max(0, lastEdit + editInterval(edits) - clock.now()), () => {
      cancelTimer = null;
      underWay = edit().finally(() => {
        underWay = null;
        if (isStale()) schedule();
      });
    });
  };
  let failedText: string | null = null;
  const isStale = (): boolean => {
    const text = renderProgress(view, runUrl);
    return markedBody(plan, 'progress', text) !== comment.body && text !== failedText;
  };
  const edit = async (): Promise<void> => {
    if (!isStale()) return;
    const text = renderProgress(view, runUrl);
    try {
      comment = await editOwnComment(place, 'progress', comment.id, text);
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      failedText = text;
      log.warn({ comment: comment.id, status: failure.status }, 'The progress comment could not be edited.');
    }
    edits += 1;
    lastEdit = clock.now();
  };
  const close = async (body: string, client: Octokit): Promise<{ id: number; url: string }> => {
    const fresh = { ...place, octokit: client };
    closed = true;
    cancelTimer?.();
    await underWay;
    try {
      comment = await editOwnComment(fresh, 'progress', comment.id, body);
    } catch (error) {
      if (readApiFailure(error)?.status !== 404) throw error;
      comment = await createOwnComment(fresh, 'progress', body);
    }
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
      closed = true;
      cancelTimer?.();
      await underWay;
      try {
        const { owner, name: repo } = plan.repository;
        await client.rest.issues.deleteComment({ owner, repo, comment_id: comment.id });
      } catch (error) {
        if (readApiFailure(error)?.status !== 404) throw error;
      }
    },
    async fail(message) {
      if (closed) return;
      try {
        await close(renderCrash(message, runUrl), octokit);
      } catch (error) {
        const failure = readApiFailure(error);
        if (failure === null) throw error;
        log.warn(
          { comment: comment.id, status: failure.status },
          'The progress comment could not be closed.',
        );
      }
    },
  };
}

/** What stands in the comment of a run that crashed. */
function renderCrash(message: string, runUrl: string | null): string {
  const log = runUrl === null ? 'the log of the run' : `the [log of the run](${runUrl})`;
  return [
    `**Failed.** ${cutText(publicText(message.trim()), 2_000, '…')}`,
    `To go on: look into ${log} for the cause, then ask again.`,
  ].join('\n\n');
}
