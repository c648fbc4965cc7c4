import type { RunPlan } from '../../contract/plan.ts';
import { isOutage } from '../../github/is-outage.ts';
import { oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import { readApiFailure } from './api-failure.ts';
import type { Log } from './log.ts';

/** Does one thing on GitHub; null where GitHub refused it, which the report then tells with the name given in `what`. */
export type Attempt = <Result>(what: string, act: () => Promise<Result>) => Promise<Result | null>;

/**
 * Attempts whose failures are logged, and told in sentences that are added to `failures`. An outage of GitHub is thrown where all is
 * tried again. So is a defect, unless `onDefect` takes it: then it costs no more than the one thing.
 */
export function createAttempt(
  plan: RunPlan,
  {
    log,
    triedAgain = false,
    onDefect,
  }: {
    readonly log: Log;
    readonly triedAgain?: boolean;
    /** Called with the sentence that was added to `failures`. */
    readonly onDefect?: (failure: string) => void;
  },
  failures: string[],
): Attempt {
  return async (what, act) => {
    try {
      return await act();
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null && onDefect !== undefined) {
        log.warn({ run: plan.run_id, err: error }, 'not finished, for a defect');
        const told = `${what} could not be finished for a defect of Anode CI itself. Its log has the cause.`;
        failures.push(told);
        onDefect(told);
        return null;
      }
      if (failure === null || (triedAgain && isOutage(error))) throw error;
      log.warn({ run: plan.run_id, status: failure.status, message: failure.message }, 'not posted');
      const message = publicCut(oneLine(failure.message), 400, '…');
      failures.push(`${what} could not be posted: ${message}`);
      return null;
    }
  };
}
