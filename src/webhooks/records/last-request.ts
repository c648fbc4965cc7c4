import * as z from 'zod';
import { omitUndefined, parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { Trigger } from '../commands/trigger.ts';
import { TriggerRequest } from './trigger-request.ts';

/**
 * The last request on a thread, stored so that one word repeats it. Its requester does not matter.
 */
const LastRequest = TriggerRequest.extend({ version: z.literal(1), run_id: z.string() });
type LastRequest = z.infer<typeof LastRequest>;

type Place = Pick<Trigger, 'thread'>;

/** Stores the request of a run. Answers and decisions belong to another run and are not stored. */
export async function saveRequest(store: StateStore, trigger: Trigger, runId: string): Promise<void> {
  const { does } = verbOf(trigger.kind);
  if (does !== 'reads' && does !== 'writes') return;
  const { text, incremental, checksOnly, flags, location } = trigger;
  const last = {
    version: 1,
    run_id: runId,
    kind: trigger.kind,
    text,
    incremental,
    checksOnly,
    flags,
    location,
  };
  await store.set(stateKeys.lastRequest(trigger.thread.number), JSON.stringify(last));
}

/** Returns the last requested run of a thread; null for none. */
export async function lastRequestedRun(store: StateStore, at: Place): Promise<string | null> {
  const text = await store.get(stateKeys.lastRequest(at.thread.number));
  return text === null ? null : (LastRequest.safeParse(parseJson(text)).data?.run_id ?? null);
}

/** Returns true if a run has the same request, and it is the last one. */
export async function isSameRequest(store: StateStore, trigger: Trigger, runId: string): Promise<boolean> {
  const text = await store.get(stateKeys.lastRequest(trigger.thread.number));
  const last = text === null ? null : LastRequest.safeParse(parseJson(text)).data;
  const flags = (of: Trigger['flags']) => JSON.stringify(Object.entries(of ?? {}).sort());
  return (
    last?.run_id === runId &&
    last.kind === trigger.kind &&
    last.text === trigger.text &&
    flags(omitUndefined(last.flags ?? {})) === flags(trigger.flags) &&
    (last.location?.root_id ?? null) === (trigger.location?.root_id ?? null)
  );
}

/**
 * Returns the trigger of a `retry`: the last request as if its sender made it, with new flags over
 * old ones. Null without a readable request.
 */
export async function repeatedRequest(store: StateStore, trigger: Trigger): Promise<Trigger | null> {
  const text = await store.get(stateKeys.lastRequest(trigger.thread.number));
  const parsed = text === null ? null : LastRequest.safeParse(parseJson(text));
  if (!parsed?.success) return null;
  const { kind, text: words, location, flags: before, incremental, checksOnly }: LastRequest = parsed.data;
  const flags = omitUndefined({ ...before, ...trigger.flags });
  return {
    ...trigger,
    kind,
    text: words,
    note: null,
    location,
    ...omitUndefined({ incremental, checksOnly, flags: Object.keys(flags).length === 0 ? undefined : flags }),
  };
}
