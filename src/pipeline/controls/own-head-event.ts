import type { Octokit } from '@octokit/rest';
import type { IncomingEvent } from '../../contract/event.ts';
import { type JsonObject, parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { objectAt, stringAt } from '../../webhooks/triggers/payload-reader.ts';
import type { RunResult } from '../context/run-result.ts';

/** A pull request whose head one of our runs made. */
export interface OwnHead {
  readonly number: number;
  readonly sha: string;
  /** `opened` for a new pull request. */
  readonly action: 'synchronize' | 'opened';
}

/** Returns the head that a run made; null if it made none. */
export function ownHeadOf({ thread, push }: RunPlan, executed: RunResult): OwnHead | null {
  if (executed.kind !== 'run') return null;
  const { commit, pull_request: opened } = executed.published;
  if (commit === undefined) return null;
  if (opened !== undefined) return { number: opened.number, sha: commit.sha, action: 'opened' };
  const isHead = push.kind === 'branch' && thread?.kind === 'pull_request';
  return isHead ? { number: thread.number, sha: commit.sha, action: 'synchronize' } : null;
}

/**
 * Makes the event that a workflow gets for a person's push. GitHub starts no workflow for what
 * `GITHUB_TOKEN` does (GitHub Docs, "Triggering a workflow"), so the job handles it itself.
 */
export async function ownHeadEvent(
  { number, sha, action }: OwnHead,
  { payload: cause }: IncomingEvent,
  { octokit, ownLogin }: { readonly octokit: Octokit; readonly ownLogin: string },
): Promise<IncomingEvent> {
  const repository = objectAt(cause, 'repository') ?? {};
  const owner = stringAt(repository, 'owner', 'login') ?? '';
  const repo = stringAt(repository, 'name') ?? '';
  const [{ data: pull }, { data: account }] = await Promise.all([
    octokit.rest.pulls.get({ owner, repo, pull_number: number }),
    octokit.rest.users.getByUsername({ username: ownLogin }),
  ]);
  const sender = { login: account.login, id: account.id, type: account.type };
  const payload: JsonObject = {
    ...{ action, number, sender },
    // The API may not know the new head yet.
    pull_request: plainObject({ ...pull, head: { ...pull.head, sha } }),
    repository,
  };
  return { name: 'pull_request', delivery_id: null, payload };
}

/** Copies an answer of the API without fields that are undefined. */
function plainObject(value: object): JsonObject {
  return parseJson(JSON.stringify(value)) as JsonObject;
}
