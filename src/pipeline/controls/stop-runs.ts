import { parseJson } from '../../contract/json.ts';
import { OpenRun } from '../../contract/open-run.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { quoteRun, saveStop } from '../../webhooks/records/stopped-thread.ts';
import type { EventContext } from '../context/broker-context.ts';
import { comesAfter, isOnThread } from './supersede.ts';

/** The sources of runs: this process, and the state that all processes share. */
type RunSources = Required<Pick<EventContext, 'store' | 'runs'>>;

/**
 * Ends one run, whichever process works on it: at once in this process, else within seconds. Its
 * work so far is published. `by` is a sentence for its report.
 */
export async function stopRun(runId: string, by: string, { store, runs }: RunSources): Promise<void> {
  if (!(await runs.stop(runId, { kind: 'cancelled', message: by })))
    await store.set(stateKeys.stop(runId), by);
}

/** Ends all runs on a thread. Runs that were requested before do not start. */
export async function stopRuns(trigger: Trigger, { store, runs }: RunSources): Promise<void> {
  const by = `Stopped by ${trigger.actor.login}.`;
  // Stored first, so that no requested run starts in the meantime.
  await saveStop(store, trigger, []);
  const isTarget = (run: RunPlan) =>
    isOnThread(run, trigger) && comesAfter(run, { at: trigger.at, delivery_id: null });
  const found = new Map((await runs.list()).filter(isTarget).map((run) => [run.run_id, run]));
  for (const key of await store.list(stateKeys.open(''))) {
    const run = OpenRun.safeParse(parseJson((await store.get(key)) ?? ''));
    if (run.success && isTarget(run.data.plan)) found.set(run.data.plan.run_id, run.data.plan);
  }
  const quotes = await Promise.all([...found.values()].map((run) => quoteRun(run, store)));
  for (const runId of found.keys()) await stopRun(runId, by, { store, runs });
  if (quotes.length > 0) await saveStop(store, trigger, quotes);
}
