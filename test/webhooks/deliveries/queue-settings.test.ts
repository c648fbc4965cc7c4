import type { Db, PgBoss } from 'pg-boss';
import { beforeEach, expect, test } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import type { openBoss } from '../../../src/webhooks/deliveries/open-boss.ts';
import { type DeliveryAttempt, startQueue } from '../../../src/webhooks/deliveries/queue.ts';

type Work = (jobs: readonly object[]) => Promise<void>;

/** A pg-boss that only takes note of what it is told; how it keeps jobs is tested with the real one. */
const boss = { calls: [] as unknown[][], jobs: [] as object[], works: [] as unknown[], embedded: true };
const note =
  (name: string, result?: unknown) =>
  async (...args: unknown[]) => {
    boss.calls.push([name, ...args]);
    return result;
  };
const database = { executeSql: async () => ({ rows: [] }) } satisfies Db;
const fake = {
  createQueue: note('createQueue'),
  findJobs: async (...args: unknown[]) => {
    boss.calls.push(['findJobs', ...args]);
    return boss.jobs;
  },
  fail: note('fail'),
  deleteJob: note('deleteJob'),
  send: note('send', 'id'),
  stop: note('stop'),
  notifyWorker: (id: string) => void boss.calls.push(['wake', id]),
  getDb: () => database,
  work: async (queue: string, polling: object, work: unknown) => {
    boss.calls.push(['work', queue, polling]);
    boss.works.push(work);
    return `worker ${boss.works.length}`;
  },
} as unknown as PgBoss;
const open: typeof openBoss = async () => ({
  boss: fake,
  embedded: boss.embedded,
  closeDatabase: async () => void boss.calls.push(['closeDatabase']),
});
beforeEach(() => {
  boss.calls.length = 0;
  boss.works.length = 0;
  boss.jobs = [];
  boss.embedded = true;
});

const attempts: (DeliveryAttempt | null)[] = [];
const errors: unknown[] = [];
async function start(change: object = {}) {
  attempts.length = 0;
  errors.length = 0;
  return startQueue(
    {
      location: { url: null, directory: 'd', program: 'p' },
      handle: async (_, attempt) => void attempts.push(attempt),
      onError: (error) => errors.push(error),
      ...change,
    },
    open,
  );
}
const event: IncomingEvent = { name: 'issues', delivery_id: null, payload: {} };
const named = (name: string) => boss.calls.filter(([call]) => call === name).map(([, ...args]) => args);

test('the queue stores deliveries for a week and has four workers', async () => {
  const queue = await start();
  expect(named('createQueue')).toEqual([
    [
      'deliveries',
      {
        ...{ policy: 'key_strict_fifo', notify: true, retryLimit: 20, retryBackoff: true },
        ...{ retryDelay: 2, retryDelayMax: 600, expireInSeconds: 21_600, heartbeatSeconds: 30 },
        ...{ retentionSeconds: 604_800, deleteAfterSeconds: 604_800 },
      },
    ],
  ]);
  const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5, includeMetadata: true };
  expect(named('work')).toEqual([1, 2, 3, 4].map(() => ['deliveries', polling]));
  expect(queue.database).toBe(database);
  await queue.close();
  expect(boss.calls.slice(-2)).toEqual([['stop', { graceful: true, timeout: 10_000 }], ['closeDatabase']]);
  await (await start({ concurrency: 1, closeTimeoutMs: 5 })).close();
  expect([named('work').length, named('stop').at(-1)]).toEqual([5, [{ graceful: true, timeout: 5 }]]);
});

test('interrupted deliveries are retried at the start, and failed ones removed', async () => {
  boss.jobs = ['active', 'failed', 'created', 'active'].map((state, index) => ({ id: `${index}`, state }));
  await start();
  expect([named('fail'), named('deleteJob')]).toEqual([
    [['deliveries', ['0', '3'], { message: 'The process ended.' }]],
    [['deliveries', ['1']]],
  ]);
  boss.jobs = [{ id: '7', state: 'active' }];
  await start();
  expect(named('fail').at(-1)).toEqual(['deliveries', ['7'], { message: 'The process ended.' }]);
  boss.calls.length = 0;
  // Another process may be at work on a database that is shared.
  boss.embedded = false;
  boss.jobs = [{ id: '0', state: 'active' }];
  await start();
  boss.jobs = [];
  await start();
  expect([named('fail'), named('deleteJob')]).toEqual([[], []]);
});

test('a delivery is stored under its thread and its own id, and wakes a waiting worker', async () => {
  const queue = await start({ concurrency: 2 });
  const send = async (change: Partial<IncomingEvent>) => {
    boss.calls.length = 0;
    expect(await queue.enqueue({ ...event, ...change })).toBe(true);
    expect(named('wake')).toEqual([['worker 1']]);
    return named('send').map(([name, sent, options]) => [name, sent, options])[0];
  };
  const payload = { repository: { full_name: 'acme/shop' }, issue: { number: 5 } };
  const kept = { retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
  expect(await send({ payload })).toEqual([
    'deliveries',
    { ...event, payload },
    { singletonKey: 'acme/shop#5', ...kept },
  ]);
  const [, , options] = (await send({ delivery_id: 'guid' })) ?? [];
  // SHA-256 of `guid`, in the form of a UUID of version 8.
  expect(options).toEqual({ singletonKey: 'issues#0', ...kept, id: '4b565f53-a6d8-8395-8073-616f5ab41e36' });
  const [, , ofPull] =
    (await send({ payload: { repository: { full_name: 'a/b' }, pull_request: { number: 7 } } })) ?? [];
  expect(ofPull).toEqual({ singletonKey: 'a/b#7', ...kept });
  const [, , renamed] = (await send({ payload: { repository: { id: 9, full_name: 'a/b' } } })) ?? [];
  expect(renamed).toEqual({ singletonKey: '9#0', ...kept });
});

test('without a retry delay there is no backoff', async () => {
  const queue = await start({ retryDelaySeconds: 0 });
  await queue.enqueue(event);
  expect(named('send')[0]?.[2]).toEqual({ singletonKey: 'issues#0', retryDelay: 0, retryBackoff: false });
});

test('a delivery is pending until it is done or has failed', async () => {
  const queue = await start();
  const pending = [];
  for (const state of ['created', 'retry', 'active', 'completed', 'failed', 'cancelled']) {
    boss.jobs = [{ id: 'x', state }];
    pending.push(await queue.isPending('guid'));
  }
  expect(pending).toEqual([true, true, true, false, false, false]);
  expect(named('findJobs').at(-1)).toEqual(['deliveries', { id: '4b565f53-a6d8-8395-8073-616f5ab41e36' }]);
});

test('an attempt gets its number and whether it is the last, and its error decides on a retry', async () => {
  const outage = Object.assign(new Error('down'), { status: 503 });
  const broken = new Error('broken');
  let fails: Error | null = null;
  await start({
    handle: async (_: unknown, attempt: DeliveryAttempt) => {
      attempts.push(attempt);
      if (fails !== null) throw fails;
    },
  });
  const [work] = boss.works as Work[];
  const signal = 'the signal';
  /** The error that goes back to the queue, for a try after so many. */
  const tried = async (retryCount: number, failure: Error | null, output: unknown = null) => {
    fails = failure;
    attempts.length = 0;
    const job = { id: 'j', data: event, retryCount, output, signal };
    const thrown = await work?.([job]).then(
      () => null,
      (error: unknown) => error,
    );
    if (!(thrown instanceof Error)) return [attempts[0] ?? null, thrown];
    if (thrown !== failure) expect(thrown.cause).toBe(failure);
    return [attempts[0] ?? null, `${thrown.name}: ${thrown.message}`];
  };
  const told = (attempt: number, last: boolean, lastWhileDown: boolean) => ({
    ...{ attempt, last, lastWhileDown, signal },
    lease: { query: expect.any(Function), values: ['deliveries', 'j', attempt - 1] },
  });
  const down = { name: 'OutageError' };
  expect([
    await tried(0, null),
    await tried(1, broken),
    await tried(2, broken),
    await tried(3, null),
    await tried(3, null, { name: 'Error' }),
    await tried(2, outage),
    await tried(3, outage, down),
    await tried(13, outage, down),
    await tried(14, outage, down),
  ]).toEqual([
    [told(1, false, false), null],
    [told(2, false, false), 'Error: broken'],
    [told(3, true, false), null],
    [null, null],
    [null, null],
    [told(3, true, false), 'OutageError: GitHub cannot be reached.'],
    [told(4, true, false), 'OutageError: GitHub cannot be reached.'],
    [told(14, true, false), 'OutageError: GitHub cannot be reached.'],
    [told(15, true, true), null],
  ]);
  expect(errors).toEqual([broken, broken, outage, outage, outage, outage]);
  boss.calls.length = 0;
  await work?.([]);
  expect([attempts.length, boss.calls]).toEqual([1, []]);
  // It was emptied while it waited.
  await work?.([{ id: 'j', data: null, retryCount: 0, output: null, signal }]);
  expect([attempts.length, errors.length]).toEqual([1, 6]);
});

test('a worker that takes a delivery wakes the next one, and fetches again at its end', async () => {
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const queue = await start({
    concurrency: 2,
    handle: async () => {
      begun += 1;
      await ends[begun - 1]?.promise;
    },
  });
  const [first, second] = boss.works as Work[];
  const job = { id: 'j', data: event, retryCount: 0, output: null, signal: null };
  const woken = async (act: () => unknown) => {
    boss.calls.length = 0;
    await act();
    return named('wake').flat();
  };
  const taken: (Promise<void> | undefined)[] = [];
  expect([
    await woken(() => void taken.push(first?.([job]))),
    await woken(() => queue.enqueue(event)),
    await woken(() => void taken.push(second?.([job]))),
    await woken(() => queue.enqueue(event)),
    await woken(() => {
      ends[0]?.resolve();
      return taken[0];
    }),
    await woken(() => queue.enqueue(event)),
  ]).toEqual([['worker 2'], ['worker 2'], [], [], ['worker 1'], ['worker 1']]);
  ends[1]?.resolve();
  await taken[1];
});
