import { largest } from '../contract/extremes.ts';
import type { Clock } from './clock.ts';
import { type Bucket, type BucketSize, drain, fullBucket, refill, waitFor } from './token-bucket.ts';

/** What a write is: something people wait for, or a look at a run that goes on, which can wait and be left out. */
export type WriteKind = 'post' | 'progress';

/**
 * The writes that all runs of an installation share. Whoever writes to GitHub takes one first.
 */
export interface ContentBudget {
  /**
   * Waits until one more write keeps to the limits, and takes it: true. Posts go first, in order; progress is let through
   * while no post waits and as long as enough is left for those that may come. False where `signal` aborted first.
   */
  take(kind: WriteKind, signal?: AbortSignal): Promise<boolean>;
  /** Lets nothing through for so many milliseconds: GitHub asked one of those who share this to come back later. */
  rest(milliseconds: number): void;
}

interface Limit {
  readonly size: BucketSize;
  /** What progress leaves for posts. */
  readonly reserve: number;
}

/**
 * GitHub allows about 80 requests a minute and 500 an hour that make or change content (GitHub Docs, "Rate limits for the
 * REST API", secondary limits). A bucket lets through what it holds and what flows in: 20 + 60 in any minute, 100 + 400 in any hour.
 */
export const contentLimits: readonly Limit[] = [
  { size: { capacity: 20, perMinute: 60 }, reserve: 10 },
  { size: { capacity: 100, perMinute: 400 / 60 }, reserve: 50 },
];

interface Waiter {
  readonly kind: WriteKind;
  readonly go: (taken: boolean) => void;
}

/** The budget of one installation, or of one token where there is none. With a clock that keeps the process alive, as somebody waits for a post. */
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
  const letThrough = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    buckets = buckets.map((bucket, index) => refill(bucket, (limits[index] as Limit).size, clock.now()));
    for (;;) {
      const kind = waiting.post.length > 0 ? 'post' : 'progress';
      const next = waiting[kind][0];
      if (next === undefined) return;
      const wait = waitOf(kind);
      if (wait > 0) {
        cancelTimer = clock.later(wait, letThrough);
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
        letThrough();
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
      letThrough();
      return promise;
    },
  };
}
