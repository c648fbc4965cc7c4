import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '../../github/api-errors.ts';

/** One of several tries at something on GitHub. */
export interface OutageTry {
  /** 1 for the first. */
  readonly attempt: number;
  /** True if another try follows during an outage of GitHub. */
  readonly more: boolean;
}

/**
 * Calls `act`, and again after each of `waits` (milliseconds) while GitHub is down. Throws any
 * other error, the error of the last try, and the error before an abort.
 */
export async function retryDuringOutage<Result>(
  waits: readonly number[],
  signal: AbortSignal,
  act: (current: OutageTry) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const wait = waits[attempt - 1];
    try {
      return await act({ attempt, more: wait !== undefined });
    } catch (error) {
      if (wait === undefined || !isOutage(error) || signal.aborted) throw error;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
