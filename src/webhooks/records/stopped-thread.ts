import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Trigger } from '../commands/trigger.ts';

/** That somebody stopped everything on a thread: kept from when that arrived until it is its turn in the queue. */
const StoppedThread = z.object({ at: z.string(), runs: z.int() });

type Place = Pick<Trigger, 'thread'>;

const keyOf = ({ thread }: Place): string => `stopped-at/${thread.number}`;

/** Keeps that a thread was stopped, and how many runs ended by it. */
export async function keepStop(store: StateStore, trigger: Trigger, runs: number): Promise<void> {
  await store.set(keyOf(trigger), JSON.stringify({ at: trigger.at, runs }));
}

/** Whether what was asked for waited in the queue when somebody stopped everything on its thread. */
export async function wasStopped(store: StateStore, trigger: Trigger): Promise<boolean> {
  const text = await store.get(keyOf(trigger));
  const stopped = text === null ? undefined : StoppedThread.safeParse(parseJson(text)).data;
  return stopped !== undefined && Date.parse(trigger.at) <= Date.parse(stopped.at);
}

/**
 * What is told once a stop has its turn: what waited before it is through by then, and what comes after may run. Null where
 * the runs that ended tell it themselves.
 */
export async function readStop(
  trigger: Trigger,
  {
    store,
    settings,
  }: { readonly store: StateStore; readonly settings: { readonly host: string; readonly dryRun: boolean } },
): Promise<string | null> {
  if (settings.host === 'action')
    return 'A run in a workflow is stopped by cancelling the workflow’s run, on its page under Actions.';
  const text = await store.get(keyOf(trigger));
  if (!settings.dryRun) await store.delete(keyOf(trigger));
  const runs = text === null ? 0 : (StoppedThread.safeParse(parseJson(text)).data?.runs ?? 0);
  return runs === 0 ? 'Nothing was running here.' : null;
}
