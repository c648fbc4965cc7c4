import type { Octokit } from '@octokit/rest';
import { type HeadRecord, notYetTold } from '../../contract/known-head.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { PullFacts } from '../../contract/thread.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { Trigger } from '../commands/trigger.ts';
import {
  decideHead,
  type HeadDecision,
  headWords,
  liesUnderOwn,
  readHeadRecord,
} from '../records/head-record.ts';
import { replyMarker } from '../replies/post-reply.ts';

/** Adds an event whose head is no longer the newest; the newer head has an event of its own. */
type HeadCheck = HeadDecision | { readonly kind: 'superseded'; readonly reason: string };

/**
 * Checks that the head of the pull request is the one that the trigger was about. Otherwise it
 * stores the current head, so that a second comment is about a known head.
 */
export async function checkHead(
  trigger: Trigger,
  pull: PullFacts | null,
  context: DecideContext,
): Promise<HeadCheck> {
  if (pull === null) return { kind: 'fits' };
  const head = pull.head.sha;
  const key = stateKeys.head(pull.number);
  const recorded = await readHeadRecord(context.store, key);
  const { head_sha: asked } = trigger;
  if (asked !== null) return checkNamedHead({ ...trigger, head_sha: asked }, { head, recorded }, context);
  const { owner, name } = trigger.repository;
  const decision = decideHead({
    recorded,
    head,
    checkedSince: recorded === null ? await readKnownSince({ owner, repo: name, ref: head }, context) : null,
    commentedAt: trigger.at,
    fork: pull.head.repository?.toLowerCase() !== `${owner}/${name}`.toLowerCase(),
  });
  if (decision.kind === 'fits') return decision;
  if (recorded === null && (await wasTold(trigger, head, context))) return { kind: 'fits' };
  const told = context.settings.dryRun ? null : toldHead(recorded, head, context);
  if (told !== null) await context.store.set(key, JSON.stringify(told));
  return decision;
}

/** Checks the head of an event that names one. */
async function checkNamedHead(
  trigger: Trigger & { readonly head_sha: string },
  { head, recorded }: { readonly head: string; readonly recorded: HeadRecord | null },
  context: DecideContext,
): Promise<HeadCheck> {
  if (trigger.head_sha === head || liesUnderOwn(recorded, head, trigger)) return { kind: 'fits' };
  // A job may know nothing of the run that it waited for.
  const at = { owner: trigger.repository.owner, repo: trigger.repository.name, ref: head };
  if (recorded === null && (await underOwn(at, context)).ref === trigger.head_sha) return { kind: 'fits' };
  // A push starts an automated review again, but no request of a person.
  if (!trigger.automated) {
    const reason = `${headWords(head)}, and ${trigger.head_sha.slice(0, 12)} is what was asked about. Ask again to run on it.`;
    return { kind: 'moved', reason };
  }
  return {
    kind: 'superseded',
    reason: `${head.slice(0, 12)} was pushed since, and has an event of its own`,
  };
}

/**
 * Returns the record of a head that the requester was notified of; null if it is stored already.
 */
function toldHead(
  recorded: HeadRecord | null,
  head: string,
  { clock, settings }: Pick<DecideContext, 'clock' | 'settings'>,
): HeadRecord | null {
  const at = clock().toISOString();
  if (recorded?.sha !== head) return { sha: head, at };
  // The App gets an event of each head, in order with the comments.
  const { under } = recorded;
  const isTold = settings.host === 'app' || under?.at !== notYetTold;
  return isTold ? null : { ...recorded, under: { ...under, at } };
}

/** A requester comments again within this time, in milliseconds. */
const recentMs = 24 * 60 * 60 * 1_000;

/**
 * Returns true if a reply of ours named the head before the comment was written. A job of a
 * workflow may have no store, so the thread is its memory. Only our own words follow the marker.
 */
async function wasTold(
  { repository, thread, location, at }: Trigger,
  head: string,
  { octokit, settings }: Pick<DecideContext, 'octokit' | 'settings'>,
): Promise<boolean> {
  if (settings.host !== 'action') return false;
  const since = new Date(Date.parse(at) - recentMs).toISOString();
  const page = { owner: repository.owner, repo: repository.name, since, per_page: 100 };
  const { data } =
    location === null
      ? await octokit.rest.issues.listComments({ ...page, issue_number: thread.number })
      : await octokit.rest.pulls.listReviewComments({ ...page, pull_number: thread.number });
  const words = `${replyMarker}\n${headWords(head)}`;
  return data.some(
    ({ user, body, created_at: told }) =>
      settings.ownLogins.includes(user?.login ?? '') &&
      Date.parse(told) <= Date.parse(at) &&
      body?.startsWith(words) === true,
  );
}

/** A commit of a repository, as GitHub's API takes it. */
type CommitAddress = { readonly owner: string; readonly repo: string; readonly ref: string };

/** Most commits of ours on each other that are read. */
const mostOwn = 20;

/**
 * Returns since when a head without a record is known. The commit under those of our own account
 * counts.
 */
async function readKnownSince(
  head: CommitAddress,
  context: Pick<DecideContext, 'octokit' | 'settings'>,
): Promise<string | null> {
  return readCheckedSince(context.octokit, await underOwn(head, context));
}

/**
 * Returns the commit under those that jobs of a workflow put on it. For the App, it is the head
 * itself.
 */
async function underOwn(
  head: CommitAddress,
  { octokit, settings }: Pick<DecideContext, 'octokit' | 'settings'>,
): Promise<CommitAddress> {
  let commit = head;
  for (let count = 0; settings.host === 'action' && count < mostOwn; count += 1) {
    const { data } = await octokit.rest.repos.getCommit(commit);
    const isOwn = settings.ownLogins.includes(data.author?.login ?? '');
    const parent = data.parents[0]?.sha;
    if (!isOwn || !/^Anode-Run: /m.test(data.commit.message) || parent === undefined) break;
    commit = { ...commit, ref: parent };
  }
  return commit;
}

/**
 * Returns the creation time of a commit's first check suite, which GitHub creates on a push. Null
 * if there is none, or if the token may not read checks.
 */
async function readCheckedSince(octokit: Octokit, commit: CommitAddress): Promise<string | null> {
  try {
    const { data } = await octokit.rest.checks.listSuitesForRef(commit);
    return (
      data.check_suites
        .map((suite) => suite.created_at)
        .filter((at) => at !== null)
        .sort()[0] ?? null
    );
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && [403, 404].some((status) => status === error.status);
}
