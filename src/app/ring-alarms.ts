import type { IncomingEvent } from '../contract/event.ts';
import { parseJson } from '../contract/json.ts';
import {
  keyWithinTenant,
  type StateRoot,
  type Tenant,
  tenantName,
  tenantOfKey,
} from '../contract/state-store.ts';
import { dueOf, ThreadTimer, timerEvent, timerPrefix } from '../contract/thread-records.ts';

/**
 * Makes an event of every alarm that is due, as if GitHub had sent it, and forgets it. `take` has to know a delivery
 * by its id: where this process dies in between, the event comes again. Nobody is reminded of what is over.
 */
export async function ringAlarms(
  state: StateRoot,
  now: Date,
  take: (event: IncomingEvent) => Promise<unknown>,
): Promise<void> {
  const alarms = (await state.list(timerPrefix)).flatMap((key) => {
    const tenant = tenantOfKey(key);
    return tenant === null ? [] : [{ key, tenant, due: dueOf(keyWithinTenant(tenantName(tenant), key)) }];
  });
  const due = alarms
    .filter((one) => Date.parse(one.due) <= now.getTime())
    .sort((a, b) => Date.parse(a.due) - Date.parse(b.due));
  const over = new Set(due.flatMap(({ key }) => /\/deadline\/(.+)$/.exec(key)?.[1] ?? []));
  for (const { key, tenant } of due) {
    const alarm = ThreadTimer.safeParse(parseJson((await state.get(key)) ?? ''));
    const needless = alarm.data?.kind === 'reminder' && over.has(alarm.data.run_id);
    if (alarm.success && !needless) await take(eventOf(alarm.data, tenant));
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
      issue: { number: thread.number, ...(thread.kind === 'pull_request' ? { pull_request: {} } : {}) },
      sender: requester,
      ...(installation === null ? {} : { installation: { id: installation } }),
    },
  };
}

/** How often the App looks for alarms that are due, in milliseconds. */
const lookInterval = 30_000;

/** Rings alarms at once and from then on, until it is stopped; what fails is told and tried again. */
export function startAlarms(
  state: StateRoot,
  take: (event: IncomingEvent) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const ring = async () => ringAlarms(state, new Date(), take).catch(onError);
  let under: Promise<void> = ring();
  const timer = setInterval(() => {
    under = under.then(ring);
  }, lookInterval);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await under;
    },
  };
}
