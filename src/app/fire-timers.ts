import type { IncomingEvent } from '../contract/event.ts';
import { omitUndefined, parseJson } from '../contract/json.ts';
import { stateKeys } from '../contract/state-keys.ts';
import {
  keyWithinTenant,
  type StateRoot,
  type Tenant,
  tenantName,
  tenantOfKey,
} from '../contract/state-store.ts';
import { dueOf, ThreadTimer, timerEvent } from '../contract/thread-records.ts';
import { type RegularWork, workRegularly } from './work-regularly.ts';

/**
 * Turns every due timer into an event and deletes it. `take` must recognise deliveries by id, since
 * an event is repeated after a crash. Expired questions get no reminder.
 */
export async function fireTimers(
  state: StateRoot,
  now: Date,
  take: (event: IncomingEvent) => Promise<unknown>,
): Promise<void> {
  const timers = (await state.list(stateKeys.allTimers)).flatMap((key) => {
    const tenant = tenantOfKey(key);
    return tenant === null ? [] : [{ key, tenant, due: dueOf(keyWithinTenant(tenantName(tenant), key)) }];
  });
  const due = timers
    .filter((one) => Date.parse(one.due) <= now.getTime())
    .sort((a, b) => Date.parse(a.due) - Date.parse(b.due));
  const over = new Set(due.flatMap(({ key }) => /\/deadline\/(.+)$/.exec(key)?.[1] ?? []));
  for (const { key, tenant } of due) {
    const timer = ThreadTimer.safeParse(parseJson((await state.get(key)) ?? ''));
    const needless = timer.data?.kind === 'reminder' && over.has(timer.data.run_id);
    if (timer.success && !needless) await take(eventOf(timer.data, tenant));
    await state.delete(key);
  }
}

function eventOf(
  { kind, due, run_id, repository, thread, requester }: ThreadTimer,
  { installation, repository: id }: Tenant,
): IncomingEvent {
  return {
    name: timerEvent,
    delivery_id: `${kind}-${run_id}`,
    payload: {
      action: kind,
      due,
      run_id,
      repository: {
        id,
        name: repository.name,
        full_name: `${repository.owner}/${repository.name}`,
        owner: { login: repository.owner },
      },
      issue: omitUndefined({
        number: thread.number,
        pull_request: thread.kind === 'pull_request' ? {} : undefined,
      }),
      sender: requester,
      ...omitUndefined({ installation: installation === null ? undefined : { id: installation } }),
    },
  };
}

/** Milliseconds between checks for due timers. */
const checkIntervalMs = 30_000;

/** Fires due timers now and regularly until stopped; errors are reported and tried again. */
export function startTimers(
  state: StateRoot,
  take: (event: IncomingEvent) => Promise<unknown>,
  onError: (error: unknown) => void,
): RegularWork {
  return workRegularly(() => fireTimers(state, new Date(), take).catch(onError), checkIntervalMs);
}
