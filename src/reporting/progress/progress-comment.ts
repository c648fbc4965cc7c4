import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { Clock } from '../../github/clock.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import { paidFor } from '../../github/create-octokit.ts';
import { readApiFailure, readApiRefusal } from '../posting/api-failure.ts';
import {
  type CommentTarget,
  createOwnComment,
  deleteComment,
  editOwnComment,
  markedBody,
  type OwnComment,
  postOwnComment,
} from '../posting/own-comment.ts';
import type { ProgressComment, PublishLog } from '../posting/ports.ts';
import { foldProgress, renderProgress, startingView } from './render-progress.ts';

export interface ProgressCommentOptions {
  readonly octokit: Octokit;
  readonly plan: RunPlan;
  readonly ownLogin: string;
  readonly runUrl: string | null;
  readonly log: PublishLog;
  readonly clock: Clock;
  /** The writes that all runs share. Default: unlimited. */
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
 * Posts the progress comment of a run, or finds an earlier attempt's. Edits are coalesced, never
 * concurrent, and made only if the text changes. Null for a plan without a thread.
 */
export async function startProgressComment(options: ProgressCommentOptions): Promise<ProgressComment | null> {
  const { octokit, plan, ownLogin, runUrl, log, notify = 'edit' } = options;
  if (plan.thread === null) return null;
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const first = await postOwnComment(target, 'progress', renderProgress(startingView, runUrl));
  const editor = createEditor(target, first, options);
  let isClosed = false;
  let report: OwnComment | null = null;
  const close = async (body: string, client: Octokit): Promise<{ id: number; url: string }> => {
    const current = { ...target, octokit: client };
    await editor.stop();
    report =
      notify === 'comment'
        ? await postReport(current, body)
        : await replaceText(current, report ?? editor.comment(), body);
    if (notify === 'comment') await deleteComment(current, first.id);
    isClosed = true;
    return { id: report.id, url: report.url };
  };
  return {
    id: first.id,
    url: first.url,
    update: editor.update,
    finish: (body, client = octokit) => close(body, client),
    async become(body, client = octokit) {
      await editor.stop();
      const { owner, name: repo } = plan.repository;
      try {
        await client.rest.issues.updateComment({ owner, repo, comment_id: first.id, body });
      } catch (error) {
        if (readApiFailure(error)?.status !== 404) throw error;
        return null;
      }
      isClosed = true;
      return { id: first.id, url: first.url };
    },
    async remove(client = octokit) {
      await editor.stop();
      await deleteComment({ ...target, octokit: client }, first.id);
      isClosed = true;
    },
    isClosed: () => isClosed,
    leave: editor.leave,
    async fail(body, triedAgain = false) {
      if (isClosed) return;
      try {
        await close(body, octokit);
      } catch (error) {
        const { status } = readApiRefusal(error, triedAgain);
        log.warn({ comment: first.id, status }, 'The progress comment could not be closed.');
      }
    },
  };
}

/** Edits the comment of an active run, one edit at a time. */
interface Editor {
  update(event: RunEvent): void;
  comment(): OwnComment;
  leave(): Promise<void>;
  /** Leaves the comment. Throws the defect that ended the edits, if any. */
  stop(): Promise<void>;
}

function createEditor(
  target: CommentTarget,
  first: OwnComment,
  { plan, runUrl, log, clock, budget }: ProgressCommentOptions,
): Editor {
  const closing = new AbortController();
  let view = startingView;
  let comment = first;
  let cancelTimer: (() => void) | null = null;
  let activeEdit: Promise<void> | null = null;
  let edits = 0;
  let lastEdit = clock.now();
  let failedText: string | null = null;
  let defect: unknown = null;
  const isStale = (): boolean => {
    const text = renderProgress(view, runUrl);
    return markedBody(plan, 'progress', text) !== comment.body && text !== failedText;
  };
  const schedule = (): void => {
    if (closing.signal.aborted || cancelTimer !== null || activeEdit !== null) return;
    cancelTimer = clock.later(Math.max(0, lastEdit + editInterval(edits) - clock.now()), () => {
      cancelTimer = null;
      activeEdit = (isStale() ? edit().catch(fail) : Promise.resolve()).finally(() => {
        activeEdit = null;
        if (isStale()) schedule();
      });
    });
  };
  const edit = async (): Promise<void> => {
    let text: string | null = null;
    try {
      // Renders after the wait: the view may have changed.
      if (budget !== undefined && !(await budget.take('progress', closing.signal))) return;
      text = renderProgress(view, runUrl);
      comment = await editOwnComment({ ...target, request: paidFor }, 'progress', comment.id, text);
    } catch (error) {
      failedText = text;
      const status = readApiFailure(error)?.status;
      if (status === undefined) throw error;
      log.warn({ comment: comment.id, status }, 'The progress comment could not be edited.');
    }
    edits += 1;
    lastEdit = clock.now();
  };
  const fail = (error: unknown) => {
    defect ??= error;
    closing.abort();
  };
  const leave = async (): Promise<void> => {
    closing.abort();
    cancelTimer?.();
    await activeEdit;
  };
  return {
    update(event) {
      view = foldProgress(view, event);
      schedule();
    },
    comment: () => comment,
    leave,
    async stop() {
      await leave();
      if (defect !== null) throw defect;
    },
  };
}

/** Replaces the progress by the report, in a new comment if the old one was deleted. */
async function replaceText(target: CommentTarget, comment: OwnComment, body: string): Promise<OwnComment> {
  // An earlier attempt may have written it.
  if (comment.body === markedBody(target.plan, 'progress', body)) return comment;
  try {
    return await editOwnComment(target, 'progress', comment.id, body);
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
    return createOwnComment(target, 'progress', body);
  }
}

/** Posts the report as a comment, or updates the one of an earlier attempt. */
async function postReport(target: CommentTarget, body: string): Promise<OwnComment> {
  const posted = await postOwnComment(target, 'report', body);
  if (posted.body === markedBody(target.plan, 'report', body)) return posted;
  return editOwnComment(target, 'report', posted.id, body);
}
