import type { Octokit } from '@octokit/rest';
import * as z from 'zod';
import type { RunPlan } from '../../contract/plan.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure, readApiRefusal } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { postOnce, withoutRetries } from '../posting/post-once.ts';
import { codeSpan, countOf, oneLine } from '../text/markdown.ts';
import { beginsWithMarker, writeMarker } from '../text/marker.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { type OwnReviewComment, readOwnPosts } from './own-posts.ts';
import { readReviewRecord, saveReviewRecord } from './previous-findings.ts';

/** The conversation below one of our comments. */
export interface ReviewThread {
  readonly id: string;
  readonly resolved: boolean;
  /** A login in GraphQL's form: an app's has no `[bot]`. */
  readonly resolvedBy: string | null;
}

/**
 * `databaseId` holds 32 bits, but newer comments have larger ids. See GitHub Docs, GraphQL,
 * "PullRequestReviewComment".
 */
const query = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved resolvedBy { login } comments(first: 1) { nodes { fullDatabaseId } } }
      }
    }
  }
}`;

const Page = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            resolvedBy: z.object({ login: z.string() }).nullable(),
            comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: z.coerce.number() })) }),
          }),
        ),
      }),
    }),
  }),
});

/**
 * Reads the threads of a pull request, by the id of their first comment. Null if the token may not
 * read them.
 */
export async function readReviewThreads(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
): Promise<ReadonlyMap<number, ReviewThread> | null> {
  const { owner, name } = plan.repository;
  const threads = new Map<number, ReviewThread>();
  let after: string | null = null;
  do {
    let answer: unknown;
    try {
      answer = await octokit.graphql(query, { owner, name, number: plan.thread?.number ?? 0, after });
    } catch (error) {
      if (readApiFailure(error) === null) throw error;
      return null;
    }
    const { nodes, pageInfo } = Page.parse(answer).repository.pullRequest.reviewThreads;
    for (const { id, isResolved, resolvedBy, comments } of nodes) {
      const first = comments.nodes[0]?.fullDatabaseId;
      if (first !== undefined)
        threads.set(first, { id, resolved: isResolved, resolvedBy: resolvedBy?.login ?? null });
    }
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return threads;
}

/** True for our own account, which GraphQL names without `[bot]`. */
export function isOwnLogin(login: string | null, ownLogin: string): boolean {
  return login?.toLowerCase() === ownLogin.replace(/\[bot\]$/u, '').toLowerCase() || login === ownLogin;
}

/** The thread of a fixed finding. */
interface FixedThread {
  readonly fixed: NonNullable<PreviousFinding['fixed']>;
  readonly comment: OwnReviewComment;
  readonly thread: ReviewThread | null;
  /** True if another comment names the commit: a thread that can be resolved gets no reply. */
  readonly silent?: boolean;
  /** True if an answer in the thread names the commit: it gets no other reply. */
  readonly answered?: boolean;
}

/**
 * Names the fixing commit in a finding's thread and resolves the thread. If resolving is refused,
 * the reply suffices. Never replies twice.
 */
export async function resolveFixed(
  { fixed, comment, thread, silent = false, answered = false }: FixedThread,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'log'>,
): Promise<void> {
  if (silent && (await tryResolve(thread, plan, ports))) return;
  if (!answered) await replyFixed(fixed, comment, plan, ports);
  if (!silent) await tryResolve(thread, plan, ports);
}

async function replyFixed(
  fixed: NonNullable<PreviousFinding['fixed']>,
  comment: OwnReviewComment,
  plan: RunPlan,
  { octokit, ownLogin }: Pick<PublishPorts, 'octokit' | 'ownLogin'>,
): Promise<void> {
  const body = renderFixed(fixed.sha, plan, fixed.reason);
  const [marker = ''] = body.split('\n', 1);
  const saysSo = (reply: { login: string; body: string }) =>
    reply.login === ownLogin &&
    (reply.body.startsWith(marker) ||
      (beginsWithMarker(reply.body, 'answer') && reply.body.includes(`\n\n${marker}\n`)));
  const target = { ...repoOf(plan), pull_number: plan.thread?.number ?? 0, comment_id: comment.id };
  await postOnce<true>(
    async () => (comment.replies.some(saysSo) ? true : null),
    async () => {
      const { pulls } = octokit.rest;
      await pulls.createReplyForReviewComment({ ...target, body, request: withoutRetries });
      return true;
    },
  );
}

/** Returns false if the thread stays unresolved, which is logged, or may not be seen. */
async function tryResolve(
  thread: ReviewThread | null,
  plan: RunPlan,
  { octokit, log }: Pick<PublishPorts, 'octokit' | 'log'>,
): Promise<boolean> {
  if (thread === null || thread.resolved) return thread !== null;
  try {
    await resolveThread(thread.id, octokit);
    return true;
  } catch (error) {
    const { message } = readApiRefusal(error);
    log.warn({ run: plan.run_id, thread: thread.id, message }, 'A thread stays unresolved.');
    return false;
  }
}

/**
 * Renders the reply that names the fixing commit; null for an unknown one. `reason`: a later review
 * ended the finding.
 */
export function renderFixed(sha: string | null, plan: RunPlan, reason?: string): string {
  const { repository, checkout } = plan;
  const { sha: head } = checkout;
  const linkTo = (commit: string) =>
    `[${codeSpan(commit.slice(0, 7))}](${repository.clone_url.replace(/\.git$/u, '')}/commit/${commit})`;
  if (reason !== undefined) {
    const why = publicCut(oneLine(reason), 400, '…', hostsOf(plan));
    return `${writeMarker('fixed', { at: head })}\nClosed by the review of ${linkTo(head)}: ${why}`;
  }
  return sha === null
    ? `${writeMarker('fixed', { at: head })}\nNo longer present at ${linkTo(head)}.`
    : `${writeMarker('fixed', { sha })}\nFixed by ${linkTo(sha)}.`;
}

/** The threads to resolve, and the requester. */
interface ResolveOrder {
  readonly plan: Pick<RunPlan, 'repository' | 'thread'>;
  /** The first comment of the requested thread; null for all that are fixed or dismissed. */
  readonly root: number | null;
  readonly by: string;
}

interface ResolvePorts {
  readonly octokit: Octokit;
  readonly ownLogin: string;
  /** Null if the store could be forged. */
  readonly store: StateStore | null;
}

/**
 * Resolves threads of our own. With `root`, resolves that thread and dismisses its finding; else
 * all whose finding is fixed or dismissed. Never touches threads of others. Returns the reply, ''
 * if the resolution is enough. Safe to repeat.
 */
export async function resolveThreads(order: ResolveOrder, ports: ResolvePorts): Promise<string> {
  const { plan, root, by } = order;
  const { octokit, ownLogin, store } = ports;
  const [posts, threads, record] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readReviewThreads(plan, octokit),
    readReviewRecord(plan, store),
  ]);
  if (threads === null) return 'I may not see the threads of this pull request.';
  const states = new Map((record?.findings ?? []).map(({ id, state }) => [id, state]));
  const chosen = posts.comments.filter(({ id, fp }) =>
    root === null ? states.get(fp) === 'fixed' || states.get(fp) === 'dismissed' : id === root,
  );
  if (root !== null && chosen.length === 0) return 'This thread is not one of mine, so I leave it alone.';
  const open = chosen.flatMap((comment) => openThread(comment, threads));
  if (root === null && open.length === 0)
    return 'None of my open threads is about a fixed finding. A review checks this: request one first.';
  for (const { id } of open) {
    try {
      await resolveThread(id, octokit);
    } catch (error) {
      if (readApiFailure(error) === null) throw error;
      return 'GitHub does not let me resolve threads here.';
    }
  }
  const [one] = chosen;
  if (root !== null && record !== null && one !== undefined) {
    const findings = record.findings.map((finding) =>
      finding.id === one.fp && finding.state === 'open'
        ? { ...finding, state: 'dismissed' as const, dismissed_by: by }
        : finding,
    );
    await saveReviewRecord(plan, store, { ...record, findings });
  }
  return root === null ? `Resolved ${countOf(open.length, 'thread')} of fixed or dismissed findings.` : '';
}

function openThread(
  comment: Pick<OwnReviewComment, 'id'>,
  threads: ReadonlyMap<number, ReviewThread> | null,
): ReviewThread[] {
  const thread = threads?.get(comment.id);
  return thread === undefined || thread.resolved ? [] : [thread];
}

/**
 * Resolves the thread that a comment begins. Does nothing where the token may not, as the record
 * decides.
 */
export async function resolveThreadAt(
  root: number,
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
): Promise<void> {
  const threads = await readReviewThreads(plan, octokit);
  await resolveOpenThreads([{ id: root }], threads, octokit);
}

/** Resolves the open threads that comments begin, as far as the token may. */
export async function resolveOpenThreads(
  comments: readonly Pick<OwnReviewComment, 'id'>[],
  threads: ReadonlyMap<number, ReviewThread> | null,
  octokit: Octokit,
): Promise<void> {
  for (const { id } of comments.flatMap((comment) => openThread(comment, threads))) {
    try {
      await resolveThread(id, octokit);
    } catch (error) {
      if (readApiFailure(error) === null) throw error;
    }
  }
}

async function resolveThread(id: string, octokit: Octokit): Promise<void> {
  await octokit.graphql(
    'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }',
    { id },
  );
}
