import type { AppContext } from './app-context.ts';
import { closeLeftRuns } from './close-left-runs.ts';
import { createOctokit } from './github/create-octokit.ts';

/** How often this process looks for runs that another one was asked to stop, in milliseconds. */
const heedInterval = 5_000;
/** How often comments are looked for that nobody closes. */
const closeInterval = 60_000;

/** What goes on beside the queue until it is stopped. */
export interface LookingAfter {
  stop(): Promise<void>;
}

/** Closes comments of runs that nobody works on, now and every minute, and stops runs that another process was asked to stop. */
export function lookAfterRuns(
  context: AppContext,
  isPending: (deliveryId: string) => Promise<boolean>,
): LookingAfter {
  const { store, log, ownLogin, runs, tokens, environment, budgetOf } = context;
  const close = () =>
    closeLeftRuns({
      store,
      log,
      ownLogin,
      isPending,
      async octokitFor({ plan }) {
        const { owner, name } = plan.repository;
        const installation = plan.installation_id ?? (await tokens.installationOf(owner, name));
        const token = await tokens.tokenFor(installation, name, 'write');
        return createOctokit({ apiUrl: environment.apiUrl, token, budget: budgetOf(installation) });
      },
    });
  const guarded = (act: () => Promise<void>) => async (): Promise<void> => {
    try {
      await act();
    } catch (err) {
      log.warn({ err }, 'Open runs could not be looked after.');
    }
  };
  const [tryClose, tryHeed] = [guarded(close), guarded(() => runs.heed(store))];
  let under = tryClose();
  const timers = [
    setInterval(() => {
      under = under.then(tryClose);
    }, closeInterval),
    setInterval(() => {
      under = under.then(tryHeed);
    }, heedInterval),
  ];
  for (const timer of timers) timer.unref();
  return {
    async stop() {
      timers.forEach((timer) => void clearInterval(timer));
      await under;
    },
  };
}
