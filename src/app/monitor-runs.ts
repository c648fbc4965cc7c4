import path from 'node:path';
import { stateKeys } from '../contract/state-keys.ts';
import { keyOfTenant } from '../contract/state-store.ts';
import { createOctokit } from '../github/create-octokit.ts';
import { createRedactor } from '../redaction/redact.ts';
import { closeAbandonedRuns } from './close-abandoned-runs.ts';
import type { AppContext } from './deliveries/app-context.ts';
import { type RegularWork, workRegularly } from './work-regularly.ts';

/** Milliseconds between checks. */
const interval = 5_000;
/**
 * Maximum milliseconds between checks while GitHub rejects them; the interval doubles up to this.
 */
const longestInterval = 10 * 60_000;

/**
 * Closes comments of abandoned runs, and stops runs that another process was asked to stop, until
 * it is stopped itself. `secrets` are removed from their reports.
 */
export function monitorRuns(
  context: AppContext,
  isPending: (deliveryId: string) => Promise<boolean>,
  secrets: readonly string[],
): RegularWork {
  const { state, log, ownLogin, runs, tokens, environment, budgetOf } = context;
  const redact = createRedactor(secrets);
  const close = () =>
    closeAbandonedRuns({
      state,
      log,
      ownLogin,
      isPending,
      leftovers: {
        folderOf: (kind, tenant) => path.join(environment.dataDirectory, kind, tenant),
        secrets,
      },
      octokitFor(repository, purpose) {
        const token = (fresh?: boolean) => tokens.tokenFor(repository, purpose, fresh);
        const posting = { budget: budgetOf(repository.installation), redact };
        return createOctokit({ apiUrl: environment.apiUrl, token, posting });
      },
    });
  let pause = interval;
  let closeAt = 0;
  const check = async (): Promise<void> => {
    try {
      await runs.stopWhere((run) => state.get(keyOfTenant(run.tenant, stateKeys.stop(run.run_id))));
      if (Date.now() < closeAt) return;
      pause = (await close()) ? Math.min(pause * 2, longestInterval) : interval;
      closeAt = Date.now() + pause - interval;
    } catch (err) {
      log.warn({ err }, 'Open runs could not be looked after.');
    }
  };
  return workRegularly(check, interval);
}
