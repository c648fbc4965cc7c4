import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../contract/plan.ts';
import { isOutage } from '../../github/is-outage.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { Log } from '../posting/log.ts';

/** What came of a write: its result, or that GitHub refused it for good, or was down each time. */
export type Taken<Result> = { readonly done: Result } | 'refused' | 'down';

/** Before each further try, in milliseconds. */
const usualWaits = [1_000, 4_000, 15_000] as const;

/**
 * Writes to GitHub, and again while it is down. `act` is told whether it is called again, as an answer may have been lost. What
 * GitHub does not take is logged; any other error is a defect and thrown.
 */
export async function persist<Result>(
  what: string,
  plan: Pick<RunPlan, 'run_id'>,
  {
    log,
    wait = sleep,
    waits = usualWaits,
  }: {
    readonly log: Log;
    readonly wait?: (milliseconds: number) => Promise<unknown>;
    readonly waits?: readonly number[];
  },
  act: (again: boolean) => Promise<Result>,
): Promise<Taken<Result>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { done: await act(attempt > 0) };
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      const isDown = isOutage(error);
      const delay = isDown ? waits[attempt] : undefined;
      if (delay === undefined) {
        const { status, message } = failure;
        log.warn({ run: plan.run_id, status, message }, `${what} was not taken`);
        return isDown ? 'down' : 'refused';
      }
      await wait(delay);
    }
  }
}
