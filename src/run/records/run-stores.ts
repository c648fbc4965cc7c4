import path from 'node:path';
import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { Conclusion } from '../../contract/limits.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { createMemoryStateStore } from '../../state/memory-state-store.ts';
import type { TaskHome } from '../../tools/services/run-services.ts';
import { createRunStorage, type RunStorage } from '../../workspace/storage/run-storage.ts';
import { isLocal, type RunOrigin } from '../policy/local-plan.ts';

/** A run's own files and its tasks. */
export interface RunStores {
  readonly storage: RunStorage;
  readonly tasks: TaskHome;
  /** Stores files for later runs if the run succeeded. An error is recorded. */
  finish(conclusion: Conclusion, ledger: Pick<RunLedger, 'record'>): Promise<void>;
}

/**
 * Opens a run's files and tasks. A read-only run may be steered by a stranger, so it neither reads
 * nor writes stored state: its tasks end with it.
 */
export function openRunStores(run: {
  readonly runId: string;
  readonly runFolder: string;
  /** Store for tasks and for `persist/`, whose files later runs on the repository get. */
  readonly store: StateStore | null;
  readonly readOnly: boolean;
  readonly plan: Pick<RunOrigin, 'source' | 'repository'>;
  readonly resume: { readonly session: Pick<SavedSession, 'storage'> } | null;
  readonly redact: (text: string) => string;
  readonly now: () => Date;
}): RunStores {
  const url = run.plan.repository.clone_url;
  const sharedStore = run.readOnly ? null : run.store;
  const storage = createRunStorage({
    folder: path.join(run.runFolder, 'storage'),
    runId: run.runId,
    sharedStore,
    restored: run.resume?.session.storage ?? {},
    redact: run.redact,
    now: run.now,
  });
  return {
    storage,
    tasks: {
      store: sharedStore ?? createMemoryStateStore(),
      repositoryUrl: isLocal(run.plan) ? url : url.replace(/\.git$/, ''),
      now: run.now,
    },
    async finish(conclusion, ledger) {
      if (conclusion !== 'success') return;
      try {
        await storage.promote();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const message = `The files of persist/ could not be kept for later runs: ${why}`;
        ledger.record({ type: 'diagnostic', level: 'error', message });
      }
    },
  };
}
