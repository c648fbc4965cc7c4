import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError, type ProviderProblem } from './provider-error.ts';

/** Total tries by problem. Others are not tried again. */
const attempts: Partial<Record<ProviderProblem, number>> = {
  rate_limited: 8,
  overloaded: 8,
  server_error: 5,
  unreachable: 4,
  broken: 4,
  idle: 2,
  timeout: 2,
};
const firstDelayMs = 500;
const longestDelayMs = 30_000;

/** Limits of retrying. */
export interface RetryLimits {
  /** Maximum tries, whatever the problem. */
  readonly tries: number;
  /** Beyond this a provider's `Retry-After` means: not in this run. */
  readonly longestRetryAfterMs: number;
}

/** For what a run cannot do without. */
const patient: RetryLimits = { tries: Number.POSITIVE_INFINITY, longestRetryAfterMs: 120_000 };

/**
 * Returns the delay in milliseconds before the next try after `tries` failed ones. Null to give up.
 * Exponential with half of it random (`random` is in [0, 1)), so parallel runs do not retry at the
 * same time. Never less than the provider asked for. Null if that is more than the limits allow.
 * Default: two minutes.
 */
export function retryDelay(
  error: Pick<ProviderError, 'problem' | 'retryAfterMs'>,
  tries: number,
  random: number,
  limits: RetryLimits = patient,
): number | null {
  if (tries >= triesFor(error.problem, limits)) return null;
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1));
  const delay = Math.round(full / 2 + (full / 2) * random);
  if (error.retryAfterMs === null) return delay;
  return error.retryAfterMs > limits.longestRetryAfterMs ? null : Math.max(delay, error.retryAfterMs);
}

/** The edges of retrying. */
export interface RetryClock {
  /** Waits; rejects with the signal's reason on abort. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}

/** The machine's own clock and chance. */
export const systemRetryClock: RetryClock = {
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      // The timer rejects with its own error; callers need the reason of the abort.
      throw signal.aborted ? signal.reason : error;
    }
  },
  random: () => Math.random(),
};

/** Thrown when `withRetries` gives up: the last failure and the number of failures. */
export class RetriesExhausted extends Error {
  override readonly name = 'RetriesExhausted';
  readonly last: ProviderError;
  readonly tries: number;

  constructor(last: ProviderError, tries: number) {
    super(last.message, { cause: last });
    this.last = last;
    this.tries = tries;
  }
}

/** A wait between two tries. */
export interface RetryWait {
  readonly error: ProviderError;
  /** Tries that failed so far. */
  readonly tries: number;
  /** The number of tries in all, if each fails like this one. */
  readonly most: number;
  readonly delayMs: number;
}

/** Total tries for a problem. */
export function triesFor(problem: ProviderProblem, limits: RetryLimits = patient): number {
  return Math.min(limits.tries, attempts[problem] ?? 1);
}

/**
 * Runs `attempt` until it succeeds or is not worth another try. `onWait` is awaited before each
 * delay. Throws `RetriesExhausted`, the reason of an abort, and any error that is not a
 * `ProviderError`.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  signal: AbortSignal,
  clock: RetryClock,
  { limits, onWait }: { readonly limits?: RetryLimits; readonly onWait?: (wait: RetryWait) => unknown } = {},
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderError)) throw error;
      const delay = retryDelay(error, tries, clock.random(), limits);
      if (delay === null) throw new RetriesExhausted(error, tries);
      await onWait?.({ error, tries, most: triesFor(error.problem, limits), delayMs: delay });
      await clock.sleep(delay, signal);
    }
  }
}

/** Takes the text of one try. */
interface Try {
  push(piece: string): void;
  /** The try has ended well. */
  end(): void;
}

const brokeOff = '\n\n[The answer broke off and begins again.]\n\n';

/**
 * Passes on streamed text so that a listener receives no part twice, even after retries. Text that
 * a retry repeats is dropped; a retry with other text first announces a restart.
 */
export function streamOnce(onText: (text: string) => void): { begin(): Try } {
  let streamed = '';
  return {
    begin() {
      const before = streamed;
      let received = '';
      let repeats = before !== '';
      const anew = () => {
        repeats = false;
        streamed = received;
        onText(received.startsWith(before) ? received.slice(before.length) : `${brokeOff}${received}`);
      };
      return {
        push(piece) {
          received += piece;
          if (!repeats) {
            streamed = received;
            onText(piece);
          } else if (!before.startsWith(received)) anew();
        },
        end() {
          if (repeats && received !== before) anew();
        },
      };
    },
  };
}
