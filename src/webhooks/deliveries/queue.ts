import { createHash } from 'node:crypto';
import type { Db, JobWithMetadata } from 'pg-boss';
import type { IncomingEvent } from '../../contract/event.ts';
import { omitUndefined } from '../../contract/json.ts';
import type { Lease } from '../../contract/state-store.ts';
import { isOutage } from '../../github/api-errors.ts';
import type { Removal } from '../triggers/find-removal.ts';
import { integerAt, stringAt, threadIn } from '../triggers/payload-reader.ts';
import { forgetDeliveries } from './forget-deliveries.ts';
import { type DatabaseLocation, type OpenBoss, openBoss } from './open-boss.ts';

/** One attempt at one delivery. */
export interface DeliveryAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** True if no attempt follows, whatever the result. */
  readonly last: boolean;
  /** True for the last attempt during an outage of GitHub, which allows more attempts. */
  readonly lastWhileDown: boolean;
  /** Aborted if the queue closes first; the delivery is retried after the start. */
  readonly signal: AbortSignal;
}

/** An attempt with the lease that its writes require. */
export interface LeasedAttempt extends DeliveryAttempt {
  readonly lease: Lease;
}

export type DeliveryHandler = (event: IncomingEvent, attempt: LeasedAttempt) => Promise<void>;

interface QueueOptions {
  readonly location: DatabaseLocation;
  readonly handle: DeliveryHandler;
  /** Maximum number of threads with a run at the same time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Milliseconds to wait for active runs on closing. Default: 10,000. */
  readonly closeTimeoutMs?: number | undefined;
  /** Seconds before the second attempt; the third waits longer. Default: 2. */
  readonly retryDelaySeconds?: number;
  readonly onError: (error: unknown) => void;
}

export interface DeliveryQueue {
  /** Stores a delivery durably. Returns false if one with the same GUID came within a week. */
  enqueue(event: IncomingEvent): Promise<boolean>;
  /** Returns true if a delivery, by its GUID, is waiting or active in any process. */
  isPending(deliveryId: string): Promise<boolean>;
  /** Empties and cancels deliveries of removed repositories; returns their number. */
  forget(removal: Removal): Promise<number>;
  /** The queue's database, for other state. Open until `close`. */
  readonly database: Db;
  /**
   * Waits for active handlers within limits, and closes the database. Unfinished deliveries run
   * after the next start.
   */
  close(): Promise<void>;
}

/** Name of the queue in its database. */
export const queueName = 'deliveries';
const week = 7 * 24 * 3600;

/**
 * Attempts for one delivery. Each starts the stored plan from its beginning, unless its run is
 * finished.
 */
const maxAttempts = 3;

/** Attempts during an outage of GitHub, about an hour. */
const maxOutageAttempts = 15;

/** Error of an attempt during an outage of GitHub; the queue stores its name with the job. */
class OutageError extends Error {
  override readonly name = 'OutageError';
}

/** Maximum seconds between attempts. */
const longestRetryDelay = 600;

const queueOptions = {
  // One delivery per thread at a time and in order; the key is the thread. With the policy
  // `singleton`, a delivery of a busy thread would delay all other threads.
  policy: 'key_strict_fifo',
  notify: true,
  // A failed job would block its thread forever. We count attempts ourselves; this limits a process
  // that dies before it counts.
  retryLimit: 20,
  retryBackoff: true,
  retryDelayMax: longestRetryDelay,
  // Longer than any run. A missing heartbeat detects a dead process.
  expireInSeconds: 6 * 3600,
  heartbeatSeconds: 30,
  retentionSeconds: week,
  deleteAfterSeconds: week,
} as const;

const polling = {
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  includeMetadata: true,
} as const;

/**
 * Starts a durable queue that handles one delivery per thread at a time, beginning with stored
 * ones. A handler that throws is called again, three times in total, or for about an hour during an
 * outage of GitHub. Tests pass their own `open`.
 */
export async function startQueue(options: QueueOptions, open = openBoss): Promise<DeliveryQueue> {
  const { concurrency = 4, closeTimeoutMs = 10_000, retryDelaySeconds = 2, onError } = options;
  const { boss, embedded, closeDatabase } = await open(options.location, onError);
  await boss.createQueue(queueName, { ...queueOptions, retryDelay: retryDelaySeconds });
  await clearLeftovers(boss, embedded);

  const backoff =
    retryDelaySeconds === 0
      ? { retryBackoff: false }
      : { retryBackoff: true, retryDelayMax: longestRetryDelay };
  const workers: string[] = [];
  const busy = new Set<number>();
  /** Makes one worker poll now. Each poll costs the database several milliseconds. */
  const notifyWorker = (index = workers.findIndex((_, index) => !busy.has(index))): void => {
    const id = workers[index];
    if (id !== undefined) boss.notifyWorker(id);
  };
  const work = async (index: number, [job]: JobWithMetadata<IncomingEvent>[]): Promise<void> => {
    if (job === undefined) return;
    busy.add(index);
    // More may be waiting.
    notifyWorker();
    try {
      await attemptJob(job, options);
    } finally {
      busy.delete(index);
      // The thread's next delivery is free once pg-boss has stored this result; only this worker
      // can check.
      notifyWorker(index);
    }
  };
  for (let index = 0; index < concurrency; index += 1) {
    const handleJobs = (jobs: JobWithMetadata<IncomingEvent>[]) => work(index, jobs);
    workers.push(await boss.work<IncomingEvent, void, typeof polling>(queueName, polling, handleJobs));
  }

  return {
    async enqueue(event) {
      const made = await boss.send(queueName, storableEvent(event), {
        singletonKey: threadOf(event),
        // Set per delivery, since an existing queue keeps its old options.
        retryDelay: retryDelaySeconds,
        ...backoff,
        ...omitUndefined({ id: event.delivery_id === null ? undefined : idOf(event.delivery_id) }),
      });
      notifyWorker();
      return made !== null;
    },
    async isPending(deliveryId) {
      const [job] = await boss.findJobs(queueName, { id: idOf(deliveryId) });
      return job !== undefined && ['created', 'retry', 'active'].includes(job.state);
    },
    forget: (removal) => forgetDeliveries(boss.getDb(), queueName, removal),
    database: boss.getDb(),
    async close() {
      await boss.stop({ graceful: true, timeout: closeTimeoutMs });
      await closeDatabase();
    },
  };
}

/**
 * Clears leftovers of a crash. No one else uses an embedded database, so active jobs there were
 * interrupted. Failed jobs must not block their thread.
 */
async function clearLeftovers(boss: OpenBoss['boss'], embedded: boolean): Promise<void> {
  const jobs = await boss.findJobs(queueName);
  const idsOf = (state: string): string[] => jobs.filter((job) => job.state === state).map((job) => job.id);
  const [active, failed] = [embedded ? idsOf('active') : [], idsOf('failed')];
  if (active.length > 0) await boss.fail(queueName, active, { message: 'The process ended.' });
  if (failed.length > 0) await boss.deleteJob(queueName, failed);
}

/** Calls the handler for one attempt at a job; throws if the job must be retried. */
async function attemptJob(
  job: JobWithMetadata<IncomingEvent>,
  { handle, onError }: Pick<QueueOptions, 'handle' | 'onError'>,
): Promise<void> {
  const attempt = job.retryCount + 1;
  // The delivery was emptied in the meantime.
  if (job.data === null) return;
  // Further attempts killed the process each time and would again.
  if (attempt > maxAttempts && Reflect.get(job.output ?? {}, 'name') !== 'OutageError') return;
  try {
    await handle(job.data, {
      ...{ attempt, last: attempt >= maxAttempts, lastWhileDown: attempt >= maxOutageAttempts },
      signal: job.signal,
      lease: jobLease(queueName, job.id, job.retryCount),
    });
  } catch (error) {
    onError(error);
    if (isOutage(error) && attempt < maxOutageAttempts)
      throw new OutageError('GitHub cannot be reached.', { cause: error });
    if (attempt < maxAttempts) throw error;
  }
}

/**
 * Returns the thread of an event, else its repository; deliveries with the same key run one at a
 * time.
 */
function threadOf({ name, payload }: IncomingEvent): string {
  // By id, since a repository may be renamed.
  const repository =
    integerAt(payload, 'repository', 'id') ?? stringAt(payload, 'repository', 'full_name') ?? name;
  const thread = threadIn(payload) ?? {};
  return `${repository}#${integerAt(thread, 'number') ?? 0}`;
}

/** Returns a UUID from the delivery's GUID, so that a redelivery is the same job. */
function idOf(deliveryId: string): string {
  const hex = createHash('sha256').update(deliveryId).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * Returns the lease of one attempt: its active job row with the attempt's retry count. pg-boss
 * fences its own writes the same way (`attemptFence` in its `plans.js`). The row is locked until
 * the statement is committed (PostgreSQL, "Explicit Locking", row-level locks).
 */
function jobLease(queue: string, id: string, retryCount: number): Lease {
  return {
    query: (first) => `SELECT 1 FROM pgboss.job WHERE name = $${first}::text AND id = $${first + 1}::uuid
      AND retry_count = $${first + 2}::int AND state = 'active' FOR SHARE`,
    values: [queue, id, retryCount],
  };
}

/**
 * JSON escapes that the database's `jsonb` rejects: NUL and unpaired surrogates (PostgreSQL, "JSON
 * Types").
 */
const refused = /\\u(?:0000|d[89a-f])/;
const escapes = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|[\s\S])/g;

/**
 * Returns the event with U+FFFD for each character that the database rejects, in keys and values.
 */
export function storableEvent(event: IncomingEvent): IncomingEvent {
  // Paired surrogates are not escaped (ECMAScript, "JSON.stringify").
  const text = JSON.stringify(event);
  if (!refused.test(text)) return event;
  return JSON.parse(text.replace(escapes, (found) => (found.length === 6 ? '\ufffd' : found)));
}
