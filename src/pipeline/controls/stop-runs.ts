import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { OpenRun, openRuns, stopKey } from '../../contract/run-records.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { saveStop } from '../../webhooks/records/stopped-thread.ts';
import type { ActiveRuns } from '../context/active-runs.ts';
import { comesAfter, isOnThread } from './supersede.ts';

/** The sources of runs: this process, and the state that all processes share. */
export interface StopPorts {
  readonly store: StateStore;
  readonly runs: ActiveRuns;
}

/**
 * Ends one run, whichever process works on it: at once in this process, else within seconds. Its
 * work so far is published. `by` is a sentence for its report.
 */
export async function stopRun(runId: string, by: string, { store, runs }: StopPorts): Promise<void> {
  if (!(await runs.stop(runId, { kind: 'cancelled', message: by }))) await store.set(stopKey(runId), by);
}

/** Ends all runs on a thread. Runs that were requested before do not start any more. */
export async function stopRuns(trigger: Trigger, ports: StopPorts): Promise<void> {
  const by = `Stopped by ${trigger.actor.login}.`;
  // Stored first, so that none of them starts meanwhile.
  await saveStop(ports.store, trigger, 0);
  const isTarget = (run: RunPlan) =>
    isOnThread(run, trigger) && comesAfter(run, { at: trigger.at, delivery_id: null });
  const found = new Set((await ports.runs.list()).filter(isTarget).map(({ run_id }) => run_id));
  for (const key of await ports.store.list(openRuns)) {
    const run = OpenRun.safeParse(parseJson((await ports.store.get(key)) ?? ''));
    if (run.success && isTarget(run.data.plan)) found.add(run.data.plan.run_id);
  }
  for (const runId of found) await stopRun(runId, by, ports);
  if (found.size > 0) await saveStop(ports.store, trigger, found.size);
}
