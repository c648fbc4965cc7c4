import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readBoxes } from '../../webhooks/records/read-boxes.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import type { RunDisplay } from '../context/prepared-run.ts';

/**
 * Marks the question of a session as answered before its run continues, with a link to the comment
 * of that run. Removes the report that it waits, and hints to wrong answers. The report of a
 * stopped session gets the link instead.
 */
export async function closeAnswered(
  session: SavedSession,
  plan: RunPlan,
  { progress }: RunDisplay,
  { github, store, log, ownLogin }: Pick<BrokerContext, 'github' | 'store' | 'log' | 'ownLogin'>,
): Promise<void> {
  const { question, approval, plan: asked } = session;
  if (asked === null) return;
  const { closeQuestion, markContinued, removeHints, removeWaitingReport } = await import(
    '../../reporting/questions/close-question.ts'
  );
  const ports = { octokit: github.writer, ownLogin, log };
  const run = { asked, plan, continuedAt: progress?.url ?? null };
  if (question === null && approval === undefined) return markContinued(run, ports);
  const posted = question === null ? null : await readBoxes(store, session);
  if (posted !== null && question !== null) await closeQuestion(posted, question.question, run, ports);
  await removeWaitingReport(asked, ports);
  const hints = await readHints(session, store);
  await removeHints(asked, hints, ports);
  for (const { key } of hints) await store.delete(key);
}

/** Returns our comments that say how the question is answered. */
async function readHints({ run_id }: SavedSession, store: StateStore) {
  const keys = await store.list(stateKeys.hints(run_id));
  return Promise.all(
    keys.map(async (key) => {
      const kind = await store.get(key);
      return { key, id: Number(key.split('/').at(-1)), inThread: kind === 'review' };
    }),
  );
}

/** Deletes the stored question or approval of a resumed session. */
export async function forgetQuestion({ run_id }: SavedSession, store: StateStore): Promise<void> {
  await store.delete(stateKeys.asked(run_id));
  await store.delete(stateKeys.boxes(run_id));
  for (const key of await store.list(stateKeys.hinted(run_id, ''))) await store.delete(key);
}
