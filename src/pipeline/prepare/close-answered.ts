import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readBoxes } from '../../webhooks/records/read-boxes.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/**
 * Marks the question of a session as answered before the run continues. Does nothing for other
 * sessions.
 */
export async function closeAnswered(
  session: SavedSession,
  plan: RunPlan,
  { github, store, log }: Pick<BrokerContext, 'github' | 'store' | 'log'>,
): Promise<void> {
  const posted = session.question === null ? null : await readBoxes(store, session);
  if (posted === null || session.question === null) return;
  const { closeQuestion } = await import('../../reporting/questions/close-question.ts');
  await closeQuestion(posted, session.question.question, plan, { octokit: github.writer, log });
}

/** Deletes the stored question or approval of a resumed session. */
export async function forgetQuestion({ run_id }: SavedSession, store: StateStore): Promise<void> {
  await store.delete(stateKeys.asked(run_id));
  await store.delete(stateKeys.boxes(run_id));
}
