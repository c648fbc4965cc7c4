import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { Trigger } from '../commands/trigger.ts';
import { TriggerRequest } from './trigger-request.ts';

/** What was asked for last on a thread, so that it can be asked again by one word. Who asked then is of no account. */
const KeptRequest = TriggerRequest.extend({ version: z.literal(1), run_id: z.string() });
type KeptRequest = z.infer<typeof KeptRequest>;

type Place = Pick<Trigger, 'thread'>;

const requestKey = ({ thread }: Place): string => `request/${thread.number}`;

/** Keeps what a run was started for; answers and decisions are about another run and are not kept. */
export async function keepRequest(store: StateStore, trigger: Trigger, runId: string): Promise<void> {
  const { does } = verbOf(trigger.kind);
  if (does !== 'reads' && does !== 'writes') return;
  const { text, incremental, checksOnly, flags, location } = trigger;
  const kept = {
    version: 1,
    run_id: runId,
    kind: trigger.kind,
    text,
    incremental,
    checksOnly,
    flags,
    location,
  };
  await store.set(requestKey(trigger), JSON.stringify(kept));
}

/** The run that was started last by a request on a thread; null where none is known. */
export async function requestedRun(store: StateStore, at: Place): Promise<string | null> {
  const text = await store.get(requestKey(at));
  return text === null ? null : (KeptRequest.safeParse(parseJson(text)).data?.run_id ?? null);
}

/** Whether a run was started by the same words as are said now, and nothing else was asked for since. */
export async function isSameRequest(store: StateStore, trigger: Trigger, runId: string): Promise<boolean> {
  const text = await store.get(requestKey(trigger));
  const kept = text === null ? null : KeptRequest.safeParse(parseJson(text)).data;
  const flags = (of: Trigger['flags']) => JSON.stringify(Object.entries(of ?? {}).sort());
  return (
    kept?.run_id === runId &&
    kept.kind === trigger.kind &&
    kept.text === trigger.text &&
    flags(definedOnly(kept.flags ?? {})) === flags(trigger.flags) &&
    (kept.location?.root_id ?? null) === (trigger.location?.root_id ?? null)
  );
}

/**
 * The trigger of a `retry` as if its sender had asked for the same by themselves, with the flags given now over those
 * of then. Null where nothing was asked for on the thread, or nothing that is still known.
 */
export async function repeatedRequest(store: StateStore, trigger: Trigger): Promise<Trigger | null> {
  const text = await store.get(requestKey(trigger));
  const parsed = text === null ? null : KeptRequest.safeParse(parseJson(text));
  if (!parsed?.success) return null;
  const { kind, text: words, location, flags: before, incremental, checksOnly }: KeptRequest = parsed.data;
  const flags = definedOnly({ ...before, ...trigger.flags });
  return {
    ...trigger,
    kind,
    text: words,
    note: null,
    location,
    ...(incremental === undefined ? {} : { incremental }),
    ...(checksOnly === undefined ? {} : { checksOnly }),
    ...(Object.keys(flags).length === 0 ? {} : { flags }),
  };
}

function definedOnly(
  given: {
    readonly [Name in keyof NonNullable<KeptRequest['flags']>]?: NonNullable<KeptRequest['flags']>[Name];
  },
) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as NonNullable<
    Trigger['flags']
  >;
}
