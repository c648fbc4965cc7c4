import { createHash } from 'node:crypto';
import type { Db, JobWithMetadata } from 'pg-boss';
import type { IncomingEvent } from '../../contract/event.ts';
import type { Lease } from '../../contract/state-store.ts';
import { isOutage } from '../../github/api-errors.ts';
import type { Removal } from '../triggers/find-removal.ts';
import { integerAt, objectAt, stringAt } from '../triggers/payload-reader.ts';
import { forgetDeliveries } from './forget-deliveries.ts';
import { jobLease } from './job-lease.ts';
import { type DatabaseLocation, openBoss } from './open-boss.ts';
import { storableEvent } from './storable-event.ts';

/** One try at one delivery. */
export interface DeliveryAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** True when no other try follows, however this one ends. */
  readonly last: boolean;
  /** The same for one that ends because GitHub is down, which is tried more often. */
  readonly lastWhileDown: boolean;
  /** Aborted when the queue is closed before the handler is done; the delivery is tried again after the start. */
  readonly signal: AbortSignal;
}

/** The same, with what its writes are held to. */
export interface LeasedAttempt extends DeliveryAttempt {
  readonly lease: Lease;
}

export type DeliveryHandler = (event: IncomingEvent, attempt: LeasedAttempt) => Promise<void>;

export interface QueueOptions {
  readonly location: DatabaseLocation;
  readonly handle: DeliveryHandler;
  /** How many threads may have a run at the same time. */
  readonly concurrency?: number;
  /** How long a run in hand is waited for on closing, in milliseconds. */
  readonly closeTimeoutMs?: number;
  /** Before the second try, in seconds; the third waits longer. */
  readonly retryDelaySeconds?: number;
  readonly onError: (error: unknown) => void;
}

export interface DeliveryQueue {
  /** Keeps a delivery durably; false when one with the same GUID was kept within the last week. */
  enqueue(event: IncomingEvent): Promise<boolean>;
  /** Whether a delivery, by its GUID, is still to be handled or being handled, by any process. */
  isPending(deliveryId: string): Promise<boolean>;
  /** Empties deliveries of repositories whose state is removed, and handles none of them; how many. */
  forget(removal: Removal): Promise<number>;
  /** The database that the queue lives in, for other state. Open until `close`. */
  readonly database: Db;
  /** Lets running handlers end, within bounds, and closes the database. What was not done is done after the next start. */
  close(): Promise<void>;
}

/** The name of the queue in its database. */
export const queueName = 'deliveries';
const week = 7 * 24 * 3600;

/** How often a delivery is handed to the handler. */
const maxAttempts = 3;

/** The same while GitHub is down: for about an hour. */
const maxOutageAttempts = 15;

/** An attempt that ended because GitHub is down; the queue keeps the name with the job. */
class OutageError extends Error {
  override readonly name = 'OutageError';
}

/** In seconds. */
const longestRetryDelay = 600;

const queueOptions = {
  // One delivery of a thread at a time and in order: the key is the thread. (The policy `singleton` would let a
  // waiting delivery of a busy thread hold up all other threads.)
  policy: 'key_strict_fifo',
  notify: true,
  // A failed job would block its thread for good. We count the attempts; this only bounds a process that dies again
  // and again before it gets to count.
  retryLimit: 20,
  retryBackoff: true,
  retryDelayMax: longestRetryDelay,
  // Beyond any run's own time limit; a process that died is found out by its missing heartbeat.
  expireInSeconds: 6 * 3600,
  heartbeatSeconds: 30,
  retentionSeconds: week,
  deleteAfterSeconds: week,
} as const;

/**
 * Deliveries, durably queued and handled one at a time for each thread. Starts at once with what is left from before.
 * A handler that throws is called again, three times in all; for about an hour where GitHub is down. `open` gives the queue its pg-boss.
 */
export async function startQueue(options: QueueOptions, open = openBoss): Promise<DeliveryQueue> {
  const { handle, concurrency = 4, closeTimeoutMs = 10_000, retryDelaySeconds = 2, onError } = options;
  const { boss, embedded, closeDatabase } = await open(options.location, onError);
  await boss.createQueue(queueName, { ...queueOptions, retryDelay: retryDelaySeconds });
  await clearLeftovers();

  const workers: string[] = [];
  const busy = new Set<number>();
  /** Has one worker look at once instead of at its next poll. Each look costs the database several milliseconds. */
  const wake = (place = workers.findIndex((_, index) => !busy.has(index))): void => {
    const id = workers[place];
    if (id !== undefined) boss.notifyWorker(id);
  };
  const work = async (place: number, [job]: JobWithMetadata<IncomingEvent>[]): Promise<void> => {
    if (job === undefined) return;
    const attempt = job.retryCount + 1;
    busy.add(place);
    // There may be more than this one.
    wake();
    try {
      // One that ended otherwise took the process with it, each time: it would again.
      // One that was emptied while a worker took it is nobody's any more.
      if (job.data === null) return;
      if (attempt <= maxAttempts || Reflect.get(job.output ?? {}, 'name') === 'OutageError') {
        await handle(job.data, {
          ...{ attempt, last: attempt >= maxAttempts, lastWhileDown: attempt >= maxOutageAttempts },
          signal: job.signal,
          lease: jobLease(queueName, job.id, job.retryCount),
        });
      }
    } catch (error) {
      onError(error);
      if (isOutage(error) && attempt < maxOutageAttempts)
        throw new OutageError('GitHub cannot be reached.', { cause: error });
      if (attempt < maxAttempts) throw error;
    } finally {
      busy.delete(place);
      // The next of this thread is free once pg-boss has written down that this one is done; only this worker looks after that.
      wake(place);
    }
  };
  const polling = {
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 5,
    includeMetadata: true,
  } as const;
  for (let place = 0; place < concurrency; place += 1) {
    const handleJobs = (jobs: JobWithMetadata<IncomingEvent>[]) => work(place, jobs);
    workers.push(await boss.work<IncomingEvent, void, typeof polling>(queueName, polling, handleJobs));
  }

  /**
   * What a crash left behind: nobody else can be at work on an embedded database, so what is marked active there was cut
   * short; and what died too often must not block its thread.
   */
  async function clearLeftovers(): Promise<void> {
    const jobs = await boss.findJobs(queueName);
    const idsOf = (state: string): string[] => jobs.filter((job) => job.state === state).map((job) => job.id);
    const [active, failed] = [embedded ? idsOf('active') : [], idsOf('failed')];
    if (active.length > 0) await boss.fail(queueName, active, { message: 'The process ended.' });
    if (failed.length > 0) await boss.deleteJob(queueName, failed);
  }

  return {
    async enqueue(event) {
      const id = jobId(event);
      const made = await boss.send(queueName, storableEvent(event), {
        singletonKey: threadOf(event),
        // With each delivery, as a queue that was made before keeps what it was made with.
        retryDelay: retryDelaySeconds,
        ...(retryDelaySeconds === 0
          ? { retryBackoff: false }
          : { retryBackoff: true, retryDelayMax: longestRetryDelay }),
        ...(id === null ? {} : { id }),
      });
      wake();
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

/** The thread an event belongs to, else its repository: what must not be worked on twice at the same time. */
function threadOf({ name, payload }: IncomingEvent): string {
  // By its id: a thread is the same one after its repository was renamed.
  const repository =
    integerAt(payload, 'repository', 'id') ?? stringAt(payload, 'repository', 'full_name') ?? name;
  const thread = objectAt(payload, 'issue') ?? objectAt(payload, 'pull_request') ?? {};
  return `${repository}#${integerAt(thread, 'number') ?? 0}`;
}

/** A UUID of the delivery's GUID: the same delivery, sent again, is the same job. */
function jobId({ delivery_id }: IncomingEvent): string | null {
  return delivery_id === null ? null : idOf(delivery_id);
}

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
