import type { Octokit } from '@octokit/rest';
import type { RunPlan, ThreadRef } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { beginsWithMarker, type MarkerKind, readMarker, writeMarker } from '../text/marker.ts';
import { readApiFailure } from './api-failure.ts';
import { type Claims, postOnce, withoutRetries } from './post-once.ts';

/** One of our comments on a thread. */
export interface OwnComment {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  /** By GitHub's clock, ISO 8601. */
  readonly created_at: string;
}

export interface CommentTarget {
  readonly octokit: Octokit;
  readonly plan: RunPlan;
  readonly thread: ThreadRef;
  readonly ownLogin: string;
  /** Set if several publishers of one run may be active. */
  readonly claims?: (what: string) => Claims;
  /** Octokit's options for an edit. */
  readonly request?: Readonly<Record<string, unknown>>;
}

const toOwnComment = (comment: {
  id: number;
  html_url: string;
  body?: string | undefined;
  created_at: string;
}): OwnComment => ({
  id: comment.id,
  url: comment.html_url,
  body: comment.body ?? '',
  created_at: comment.created_at,
});

/**
 * Finds our comment that begins with the marker of this kind and run, in the whole thread. With
 * `text`, only that exact text. On a shared account, a quoted marker belongs to another's comment.
 */
export async function findOwnComment(
  target: CommentTarget,
  kind: MarkerKind,
  text?: string,
): Promise<OwnComment | null> {
  const { octokit, plan, thread, ownLogin } = target;
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...repoOf(plan),
    issue_number: thread.number,
    per_page: 100,
  });
  for await (const { data } of pages) {
    const own = data.find(
      ({ user, body }) =>
        user?.login === ownLogin &&
        beginsWithMarker(body, kind) &&
        readMarker(body, kind)?.run === plan.run_id &&
        (text === undefined || body === markedBody(plan, kind, text)),
    );
    if (own !== undefined) return toOwnComment(own);
  }
  return null;
}

/** Posts a marked comment, or returns the one that this run has already. */
export async function postOwnComment(
  target: CommentTarget,
  kind: MarkerKind,
  text: string,
): Promise<OwnComment> {
  return postOnce(
    () => findOwnComment(target, kind),
    async () => createOwnComment(target, kind, text),
    target.claims?.(kind) ?? null,
  );
}

/** Posts a comment with a marker without looking for an earlier one. */
export async function createOwnComment(
  target: CommentTarget,
  kind: MarkerKind,
  text: string,
): Promise<OwnComment> {
  const { data } = await target.octokit.rest.issues.createComment({
    owner: target.plan.repository.owner,
    repo: target.plan.repository.name,
    issue_number: target.thread.number,
    body: markedBody(target.plan, kind, text),
    request: withoutRetries,
  });
  return toOwnComment(data);
}

/** Replaces the text of our comment, but not its marker. */
export async function editOwnComment(
  target: CommentTarget,
  kind: MarkerKind,
  id: number,
  text: string,
): Promise<OwnComment> {
  const { data } = await target.octokit.rest.issues.updateComment({
    owner: target.plan.repository.owner,
    repo: target.plan.repository.name,
    comment_id: id,
    body: markedBody(target.plan, kind, text),
    request: { ...target.request },
  });
  return toOwnComment(data);
}

/** Deletes our comment, unless it is gone. */
export async function deleteComment({ octokit, plan }: CommentTarget, comment_id: number): Promise<void> {
  try {
    const { owner, name: repo } = plan.repository;
    await octokit.rest.issues.deleteComment({ owner, repo, comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
  }
}

/** Puts a text under the hidden line of its run. */
export function markedBody(plan: RunPlan, kind: MarkerKind, text: string): string {
  const { run_id: run, build, checkout, turn, workflow } = plan;
  // Later runs count the tries on a failed build by these.
  const tried = build === undefined ? {} : { head: checkout.sha, failure: build.signature };
  const claim = kind === 'progress' ? { turn } : {};
  // A later run of the task finds the pull request by it.
  const task = kind === 'pull-request' ? { task: workflow?.task } : {};
  return `${writeMarker(kind, { run, ...tried, ...claim, ...task })}\n${text}`;
}
