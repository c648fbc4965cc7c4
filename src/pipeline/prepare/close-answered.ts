import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { askedKey, type SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { boxesKey } from '../../contract/thread-records.ts';
import type { Log } from '../../reporting/posting/log.ts';
import { readBoxes } from '../../webhooks/records/read-boxes.ts';

/** Says at the question of a session that it was answered, before the run goes on; does nothing for other sessions. */
export async function closeAnswered(
  session: SavedSession,
  plan: RunPlan,
  ports: { readonly octokit: Octokit; readonly store: StateStore; readonly log: Log },
): Promise<void> {
  const posted = session.question === null ? null : await readBoxes(ports.store, session);
  if (posted === null || session.question === null) return;
  const { closeQuestion } = await import('../../reporting/questions/close-question.ts');
  await closeQuestion(posted, session.question.question, plan, ports);
}

/** Forgets what was kept of the question or approval of a session that went on. */
export async function forgetAsked({ run_id }: SavedSession, store: StateStore): Promise<void> {
  await store.delete(askedKey(run_id));
  await store.delete(boxesKey(run_id));
}
