import type { Octokit } from '@octokit/rest';
import { stateKeys } from '../../contract/state-keys.ts';
import type { PullFacts } from '../../contract/thread.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { Trigger } from '../commands/trigger.ts';
import { decideHead, type HeadDecision, type HeadRecord, readHeadRecord } from '../records/head-record.ts';

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
  if (trigger.head_sha !== null) {
    if (trigger.head_sha === head) return { kind: 'fits' };
    // A push starts an automated review again, but no request of a person.
    if (!trigger.automated) {
      const reason = `The head is ${head.slice(0, 12)} now, and ${trigger.head_sha.slice(0, 12)} is what was asked about. Ask again to run on it.`;
      return { kind: 'moved', reason };
    }
    return {
      kind: 'superseded',
      reason: `${head.slice(0, 12)} was pushed since, and has an event of its own`,
    };
  }
  const { owner, name } = trigger.repository;
  const key = stateKeys.head(pull.number);
  const recorded = await readHeadRecord(context.store, key);
  const decision = decideHead({
    recorded,
    head,
    checkedSince: recorded === null ? await readCheckedSince(context.octokit, owner, name, head) : null,
    commentedAt: trigger.at,
    fork: pull.head.repository?.toLowerCase() !== `${owner}/${name}`.toLowerCase(),
  });
  if (decision.kind === 'moved' && recorded?.sha !== head && !context.settings.dryRun) {
    const record: HeadRecord = { sha: head, at: context.clock().toISOString() };
    await context.store.set(key, JSON.stringify(record));
  }
  return decision;
}

/**
 * Returns the creation time of a commit's first check suite, which GitHub creates on a push. Null
 * if there is none, or if the token may not read checks.
 */
async function readCheckedSince(
  octokit: Octokit,
  owner: string,
  repo: string,
  ref: string,
): Promise<string | null> {
  try {
    const { data } = await octokit.rest.checks.listSuitesForRef({ owner, repo, ref });
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
