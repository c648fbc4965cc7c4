import { Alarm, alarmEvent, alarmPrefix, dueOf } from './contract/alarm.ts';
import type { IncomingEvent } from './contract/event.ts';
import { parseJson } from './contract/json.ts';
import type { StateStore } from './contract/session.ts';

/**
 * Makes an event of every alarm that is due, as if GitHub had sent it, and forgets it. `take` has to know a delivery
 * by its id: where this process dies in between, the event comes again. Nobody is reminded of what is over.
 */
export async function ringAlarms(
  store: StateStore,
  now: Date,
  take: (event: IncomingEvent) => Promise<unknown>,
): Promise<void> {
  // The keys are in the order in which the alarms are due.
  const keys = (await store.list(alarmPrefix)).filter((key) => Date.parse(dueOf(key)) <= now.getTime());
  const over = new Set(keys.flatMap((key) => /\/deadline\/(.+)$/.exec(key)?.[1] ?? []));
  for (const key of keys) {
    const alarm = Alarm.safeParse(parseJson((await store.get(key)) ?? ''));
    const needless = alarm.data?.kind === 'reminder' && over.has(alarm.data.run_id);
    if (alarm.success && !needless) await take(eventOf(alarm.data));
    await store.delete(key);
  }
}

function eventOf({
  kind,
  due,
  run_id,
  installation_id,
  repository,
  thread,
  requester,
}: Alarm): IncomingEvent {
  return {
    name: alarmEvent,
    delivery_id: `${kind}-${run_id}`,
    payload: {
      action: kind,
      due,
      run_id,
      repository: {
        name: repository.name,
        full_name: `${repository.owner}/${repository.name}`,
        owner: { login: repository.owner },
      },
      issue: { number: thread.number, ...(thread.kind === 'pull_request' ? { pull_request: {} } : {}) },
      sender: requester,
      ...(installation_id === null ? {} : { installation: { id: installation_id } }),
    },
  };
}

/** How often the App looks for alarms that are due, in milliseconds. */
const lookInterval = 30_000;

/** Rings alarms at once and from then on, until it is stopped; what fails is told and tried again. */
export function startAlarms(
  store: StateStore,
  take: (event: IncomingEvent) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const ring = async () => ringAlarms(store, new Date(), take).catch(onError);
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
