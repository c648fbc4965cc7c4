import type { Octokit } from '@octokit/rest';
import type { PullFacts } from '../../contract/thread.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Trigger } from '../commands/trigger.ts';
import { decideHead, type HeadDecision, type HeadRecord, headKey, readHead } from '../records/head-record.ts';

/** As `HeadDecision`; `superseded` is an event whose head is no longer the newest: its own event follows. */
export type HeadCheck = HeadDecision | { readonly kind: 'superseded'; readonly reason: string };

/**
 * Whether the head of the pull request is the one that the trigger was about. Where it is not, the head seen now is
 * remembered, so that a second comment is about a head that is known.
 */
export async function checkHead(
  trigger: Trigger,
  pull: PullFacts | null,
  ports: DecidePorts,
): Promise<HeadCheck> {
  if (pull === null) return { kind: 'fits' };
  const head = pull.head.sha;
  if (trigger.head_sha !== null) {
    if (trigger.head_sha === head) return { kind: 'fits' };
    // A push brings an automated review again, and nothing that a person asked for.
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
  const key = headKey(pull.number);
  const recorded = await readHead(ports.store, key);
  const decision = decideHead({
    recorded,
    head,
    checkedSince: recorded === null ? await readCheckedSince(ports.octokit, owner, name, head) : null,
    commentedAt: trigger.at,
    fork: pull.head.repository?.toLowerCase() !== `${owner}/${name}`.toLowerCase(),
  });
  if (decision.kind === 'moved' && recorded?.sha !== head && !ports.settings.dryRun) {
    const seen: HeadRecord = { sha: head, at: ports.clock().toISOString() };
    await ports.store.set(key, JSON.stringify(seen));
  }
  return decision;
}

/**
 * When the first check suite of a commit was made, which GitHub does on a push; null where there is none, or where the
 * token may not read checks.
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
    if (wontTell(error)) return null;
    throw error;
  }
}

/** The token may not read checks, or this GitHub has none. */
function wontTell(error: unknown): boolean {
  return error instanceof Error && 'status' in error && [403, 404].some((status) => status === error.status);
}
