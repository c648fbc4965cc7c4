import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import { countOf } from '../text/markdown.ts';
import { keepReviewRecord, readReviewRecord } from './known-findings.ts';
import { type OwnRemark, readOwnPosts } from './own-posts.ts';
import { type RemarkThread, readRemarkThreads } from './remark-threads.ts';

/** What is to be resolved, and by whose word. */
export interface ResolveOrder {
  readonly plan: Pick<RunPlan, 'repository' | 'thread'>;
  /** The first comment of the one thread that is meant; null for all that are settled. */
  readonly root: number | null;
  readonly by: string;
}

export interface ResolvePorts {
  readonly octokit: Octokit;
  readonly ownLogin: string;
  /** Null where what is kept could have been forged. */
  readonly store: StateStore | null;
}

/**
 * Resolves threads of our own on a pull request: the one that was asked for, which lets its finding go, or all whose finding is
 * fixed or was let go. Threads of others are never touched. Returns what to say, '' where resolving says it all. Again it
 * resolves nothing twice.
 */
export async function resolveThreads(order: ResolveOrder, ports: ResolvePorts): Promise<string> {
  const { plan, root, by } = order;
  const { octokit, ownLogin, store } = ports;
  const [posts, threads, record] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    readRemarkThreads(plan, octokit),
    readReviewRecord(plan, store),
  ]);
  if (threads === null) return 'I may not see the threads of this pull request.';
  const states = new Map((record?.findings ?? []).map(({ id, state }) => [id, state]));
  const meant = posts.remarks.filter(({ id, fp }) =>
    root === null ? states.get(fp) === 'fixed' || states.get(fp) === 'dismissed' : id === root,
  );
  if (root !== null && meant.length === 0) return 'This thread is not one of mine, so I leave it alone.';
  const open = meant.flatMap((remark) => openThread(remark, threads));
  if (root === null && open.length === 0)
    return 'No open thread of mine is about something that is fixed. A review finds out what is: ask for one first.';
  for (const { id } of open) {
    try {
      await octokit.graphql(
        'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }',
        { id },
      );
    } catch (error) {
      if (readApiFailure(error) === null) throw error;
      return 'GitHub does not let me resolve threads here.';
    }
  }
  const [one] = meant;
  if (root !== null && record !== null && one !== undefined) {
    const findings = record.findings.map((known) =>
      known.id === one.fp && known.state === 'open'
        ? { ...known, state: 'dismissed' as const, dismissed_by: by }
        : known,
    );
    await keepReviewRecord(plan, store, { ...record, findings });
  }
  return root === null ? `Resolved ${countOf(open.length, 'thread')} about what is fixed or was let go.` : '';
}

function openThread(remark: OwnRemark, threads: ReadonlyMap<number, RemarkThread>): RemarkThread[] {
  const thread = threads.get(remark.id);
  return thread === undefined || thread.resolved ? [] : [thread];
}
