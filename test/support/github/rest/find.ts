import { notFound } from '../protocol/api-error.ts';
import type { RepositoryCall } from '../protocol/call.ts';
import {
  type Account,
  type Comment,
  findAccount,
  findThread,
  isPull,
  type PullThread,
  type ReviewComment,
  type Thread,
} from '../world.ts';

const idOf = (call: RepositoryCall, name: string) => Number(call.params[name]);

/** The thread in the path; 404 if there is none. */
export function threadOf(call: RepositoryCall): Thread {
  const thread = findThread(call.repository, idOf(call, 'issue_number'));
  if (thread === undefined) throw notFound();
  return thread;
}

/** The pull request in the path; 404 if there is none or it is an issue. */
export function pullOf(call: RepositoryCall): PullThread {
  const thread = findThread(call.repository, idOf(call, 'pull_number'));
  if (thread === undefined || !isPull(thread)) throw notFound();
  return thread;
}

/** The conversation comment that the path names. */
export function commentOf(call: RepositoryCall): Comment {
  const comment = call.repository.comments.find(({ id }) => id === idOf(call, 'comment_id'));
  if (comment === undefined) throw notFound();
  return comment;
}

/** The comment on the diff that the path names. */
export function reviewCommentOf(call: RepositoryCall): ReviewComment {
  const comment = call.repository.reviewComments.find(({ id }) => id === idOf(call, 'comment_id'));
  if (comment === undefined) throw notFound();
  return comment;
}

/** The accounts with those logins; unknown ones are dropped, as on GitHub. */
export const accountsOf = (call: RepositoryCall, logins: readonly string[]): Account[] =>
  logins.flatMap((login) => findAccount(call.world, login) ?? []);

/** Sorts by `created` or `updated` in the requested direction. */
export function sorted<
  Item extends { readonly createdAt: string; readonly updatedAt: string; readonly id: number },
>(
  items: readonly Item[],
  query: Readonly<Record<string, unknown>>,
  defaultDirection: 'asc' | 'desc',
): Item[] {
  const key = query.sort === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = (query.direction ?? defaultDirection) === 'asc' ? 1 : -1;
  return [...items].sort((a, b) => sign * (a[key].localeCompare(b[key]) || a.id - b.id));
}

/** Keeps entries updated at or after `since`, if the query has it. */
export function updatedSince<Item extends { readonly updatedAt: string }>(
  items: readonly Item[],
  query: Readonly<Record<string, unknown>>,
): Item[] {
  const { since } = query;
  const from = typeof since === 'string' ? Date.parse(since) : Number.NEGATIVE_INFINITY;
  return items.filter(({ updatedAt }) => Date.parse(updatedAt) >= from);
}
