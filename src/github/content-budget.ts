import { largest } from '../contract/lists.ts';
import type { Clock } from './clock.ts';

/**
 * Kind of a write: a post that people wait for, or a progress update, which can wait or be omitted.
 */
export type WriteKind = 'post' | 'progress';

/** Write budget shared by all runs of an installation. Each write to GitHub takes one first. */
export interface ContentBudget {
  /**
   * Waits until one more write fits the limits, takes it and returns true. Posts go first, in
   * order; progress waits for posts and leaves them a reserve. Returns false if `signal` aborts
   * first.
   */
  take(kind: WriteKind, signal?: AbortSignal): Promise<boolean>;
  /** Blocks all writes for a time: GitHub asked one of the sharers to retry later. */
  rest(milliseconds: number): void;
}

interface Limit {
  readonly size: BucketSize;
  /** Tokens reserved for posts. */
  readonly reserve: number;
}

/**
 * GitHub allows about 80 content-changing requests a minute and 500 an hour (GitHub Docs, "Rate
 * limits for the REST API", secondary limits). A bucket allows its capacity plus its refill: 20 +
 * 60 in any minute, 100 + 400 in any hour.
 */
export const contentLimits: readonly Limit[] = [
  { size: { capacity: 20, perMinute: 60 }, reserve: 10 },
  { size: { capacity: 100, perMinute: 400 / 60 }, reserve: 50 },
];

interface Waiter {
  readonly kind: WriteKind;
  readonly go: (taken: boolean) => void;
}

/**
 * Creates the budget of one installation, or of one token. Use a clock that keeps the process
 * alive, since posts are awaited.
 */
export function createContentBudget(clock: Clock, limits: readonly Limit[] = contentLimits): ContentBudget {
  let buckets: readonly Bucket[] = limits.map(({ size }) => fullBucket(size, clock.now()));
  const waiting: Record<WriteKind, Waiter[]> = { post: [], progress: [] };
  let cancelTimer: (() => void) | null = null;
  let restsUntil = 0;

  const waitOf = (kind: WriteKind): number => {
    const waits = buckets.map((bucket, index) => {
      const { size, reserve } = limits[index] as Limit;
      return waitFor(bucket, size, kind === 'progress' ? reserve : 0);
    });
    return largest([restsUntil - clock.now(), ...waits], 0);
  };
  const admitNext = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    buckets = buckets.map((bucket, index) => refill(bucket, (limits[index] as Limit).size, clock.now()));
    for (;;) {
      const kind = waiting.post.length > 0 ? 'post' : 'progress';
      const next = waiting[kind][0];
      if (next === undefined) return;
      const wait = waitOf(kind);
      if (wait > 0) {
        cancelTimer = clock.later(wait, admitNext);
        return;
      }
      waiting[kind].shift();
      buckets = buckets.map(drain);
      next.go(true);
    }
  };

  return {
    rest(milliseconds) {
      restsUntil = Math.max(restsUntil, clock.now() + milliseconds);
    },
    take(kind, signal) {
      if (signal?.aborted) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveUp = (): void => {
        waiting[kind] = waiting[kind].filter((other) => other !== waiter);
        resolve(false);
        admitNext();
      };
      const waiter: Waiter = {
        kind,
        go(taken) {
          signal?.removeEventListener('abort', giveUp);
          resolve(taken);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting[kind].push(waiter);
      admitNext();
      return promise;
    },
  };
}

/** Capacity of a bucket, and its refill per minute. */
interface BucketSize {
  readonly capacity: number;
  readonly perMinute: number;
}

/** Level of a bucket at a time in milliseconds since 1970. */
interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

const minute = 60_000;

const fullBucket = (size: BucketSize, now: number): Bucket => ({ tokens: size.capacity, at: now });

/** Returns the bucket at a later time. A clock set back changes nothing. */
function refill(bucket: Bucket, { capacity, perMinute }: BucketSize, now: number): Bucket {
  const passed = Math.max(0, now - bucket.at);
  return {
    tokens: Math.min(capacity, bucket.tokens + (passed * perMinute) / minute),
    at: Math.max(now, bucket.at),
  };
}

/** Removes one token from a bucket that has one. */
const drain = (bucket: Bucket): Bucket => ({ ...bucket, tokens: bucket.tokens - 1 });

/**
 * Returns the milliseconds, from the bucket's time, until a token can be taken that leaves
 * `reserve`; 0 for now.
 */
function waitFor(bucket: Bucket, { perMinute }: BucketSize, reserve: number): number {
  const missing = 1 + reserve - bucket.tokens;
  // A millionth covers rounding errors.
  return missing <= 1e-6 ? 0 : Math.ceil((missing * minute) / perMinute);
}
