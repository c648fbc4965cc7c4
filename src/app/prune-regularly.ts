import path from 'node:path';
import type { Logger } from 'pino';
import type { Environment } from '../config/environment.ts';
import type { StateRoot } from '../contract/state-store.ts';
import { pruneState } from '../pipeline/finish/prune-state.ts';
import { pruneRuns } from '../workspace/storage/prune-runs.ts';
import { type RegularWork, workRegularly } from './work-regularly.ts';

const intervalMs = 6 * 60 * 60 * 1000;

/** A checkout is deleted with its run, unless the process was killed. No run takes a day. */
const checkouts = { maxAgeMs: 24 * 60 * 60 * 1000, maxBytes: Number.POSITIVE_INFINITY };

/**
 * Deletes old run folders, leftover checkouts, their state, and the results of `sweep`: now and
 * every six hours until stopped.
 */
export function startPruning(
  { dataDirectory, keepRunsDays, keepRunsMegabytes }: Environment,
  state: StateRoot,
  sweep: () => Promise<void>,
  log: Logger,
): RegularWork {
  const retention = {
    maxAgeMs: keepRunsDays * 24 * 60 * 60 * 1000,
    maxBytes: keepRunsMegabytes * 1_000_000,
  };
  const prune = async (): Promise<void> => {
    for (const [folder, limits] of Object.entries({ runs: retention, checkouts })) {
      try {
        const removed = await pruneRuns(path.join(dataDirectory, folder), limits, {
          now: Date.now(),
          onProblem: (err) => log.warn({ err, folder }, 'The folder of an old run could not be deleted.'),
        });
        if (removed > 0) log.info({ removed, folder }, 'Folders of old runs were deleted.');
      } catch (err) {
        log.warn({ err, folder }, 'Old runs could not be looked for.');
      }
    }
    await sweep();
    try {
      const deleted = await pruneState(state, new Date());
      if (deleted > 0) log.info({ deleted }, 'Stored files of old runs were deleted.');
    } catch (err) {
      log.warn({ err }, 'Stored files of old runs could not be listed.');
    }
  };
  return workRegularly(prune, intervalMs);
}
