import type { Octokit } from '@octokit/rest';
import { RunStopped } from '../../contract/errors.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { ApprovalAnswer } from '../../run/policy/grant-approval.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';
import type { DecidedApproval } from '../../webhooks/records/approval-record.ts';

/**
 * Claims the session that a plan resumes. Only one delivery may have it: of two replies to a
 * question the first counts. A repeated delivery is the same one.
 */
export async function claimSession(plan: RunPlan, store: StateStore): Promise<SavedSession | null> {
  if (plan.resume === null) return null;
  const waiting = resumedAt(plan);
  const text = waiting === null ? null : await store.get(waiting);
  const session = text === null ? null : SavedSession.parse(JSON.parse(text));
  const taker = plan.source.delivery_id ?? plan.run_id;
  const key = stateKeys.resumed(plan.resume.run_id);
  const isOwn = (await store.claim(key, taker)) || (await store.get(key)) === taker;
  if (session?.run_id !== plan.resume.run_id || !isOwn) {
    const asked = plan.resume.approval === undefined ? 'question was answered' : 'approval was decided';
    const what = plan.resume.stopped === true ? 'run was taken up' : asked;
    throw new RunStopped({ kind: 'cancelled', message: `That ${what} already.` });
  }
  const { approval, answered_by: by } = plan.resume;
  if (session.approval?.hash !== approval?.hash) {
    const message = 'The pending request here is not the one that this was about.';
    throw new RunStopped({ kind: 'cancelled', message });
  }
  if (approval !== undefined && plan.thread !== null) {
    const decided: DecidedApproval = { by, verdict: approval.verdict };
    await store.set(stateKeys.approval(plan.thread.number, approval.hash), JSON.stringify(decided));
  }
  return session;
}

/** Drops the grants of users who lost their write permission. */
export async function withGrantsOfWriters(
  session: SavedSession | null,
  { repository }: RunPlan,
  octokit: Octokit,
): Promise<SavedSession | null> {
  if (session?.grants === undefined) return session;
  const place = { owner: repository.owner, name: repository.name };
  const logins = [...new Set(session.grants.map(({ by }) => by))];
  const people = await Promise.all(
    logins.map((login) =>
      readRequester(octokit, place, login).catch((error: unknown) => {
        // The account was deleted.
        if (isNotFound(error)) return null;
        throw error;
      }),
    ),
  );
  const writers = people.flatMap((person) => (person !== null && canWrite(person) ? [person.login] : []));
  return { ...session, grants: session.grants.filter(({ by }) => writers.includes(by)) };
}

/** Returns the decision on an approval; nothing for the answer to a question. */
export function approvalAnswer(
  { resume, run_id }: RunPlan,
  store: StateStore,
): { readonly approval?: ApprovalAnswer } {
  if (resume?.approval === undefined) return {};
  const { run_id: asked, answer, answered_by: by, approval } = resume;
  // Also claimed against ourselves: a delivery that is handled again after a crash must not make
  // the call twice.
  const use = () => store.claim(stateKeys.usedCall(asked, approval.hash), run_id);
  return { approval: { verdict: approval.verdict, by, reason: answer, use } };
}

/** Returns the key of the session that a plan resumes; null for a new session. */
export function resumedAt({ thread, resume }: RunPlan): string | null {
  if (resume === null || thread === null) return null;
  return resume.stopped === true
    ? stateKeys.stopped(thread.number)
    : stateKeys.waiting(thread.number, resume.run_id);
}

/**
 * Stores the session of a stopped run so that it can be resumed; deletes it for a completed run.
 */
export async function storeStopped(
  { thread }: RunPlan,
  stopped: SavedSession | null | undefined,
  store: StateStore,
): Promise<void> {
  if (thread === null) return;
  const key = stateKeys.stopped(thread.number);
  if (stopped) await store.set(key, JSON.stringify(stopped));
  else await store.delete(key);
}
