import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Trigger } from '../commands/trigger.ts';

/** A stop of everything on a thread, stored until the queue reaches the stop request. */
const StoppedThread = z.object({ at: z.string(), runs: z.int() });

/** Stores that a thread was stopped, and the number of runs that ended. */
export async function saveStop(store: StateStore, trigger: Trigger, runs: number): Promise<void> {
  await store.set(stateKeys.stoppedAt(trigger.thread.number), JSON.stringify({ at: trigger.at, runs }));
}

/** Returns true if a request was made no later than the stop of its thread. */
export async function wasStopped(store: StateStore, trigger: Trigger): Promise<boolean> {
  const text = await store.get(stateKeys.stoppedAt(trigger.thread.number));
  const stopped = text === null ? undefined : StoppedThread.safeParse(parseJson(text)).data;
  return stopped !== undefined && Date.parse(trigger.at) <= Date.parse(stopped.at);
}

/**
 * Returns the reply to a stop request, and deletes the stored stop (not in a dry run), so that
 * later requests may run. Null if the stopped runs report it themselves.
 */
export async function takeStopReply(
  trigger: Trigger,
  {
    store,
    settings,
  }: { readonly store: StateStore; readonly settings: { readonly host: string; readonly dryRun: boolean } },
): Promise<string | null> {
  if (settings.host === 'action')
    return 'A run in a workflow is stopped by cancelling the workflow run, on its page under Actions.';
  const text = await store.get(stateKeys.stoppedAt(trigger.thread.number));
  if (!settings.dryRun) await store.delete(stateKeys.stoppedAt(trigger.thread.number));
  const runs = text === null ? 0 : (StoppedThread.safeParse(parseJson(text)).data?.runs ?? 0);
  return runs === 0 ? 'Nothing was running here.' : null;
}
