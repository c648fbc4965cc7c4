import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { Conclusion } from '../../contract/limits.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { createMemoryStateStore } from '../../state/memory-state-store.ts';
import type { TaskHome } from '../../tools/services/task-home.ts';
import { createRunStorage, type RunStorage } from '../../workspace/storage/run-storage.ts';

/** A run's own files, its list of tasks, and what becomes of them at its end. */
export interface RunState {
  readonly storage: RunStorage;
  readonly tasks: TaskHome;
  /** Hands files on to later runs where the run ended well. What fails is told in the run's record. */
  finish(conclusion: Conclusion, ledger: Pick<RunLedger, 'record'>): Promise<void>;
}

/**
 * What a run keeps. A run that may only read is one whose word a stranger may have put in its mouth: it neither sees
 * what was kept nor adds to it, and its tasks end with it.
 */
export function openRunState(run: {
  readonly runId: string;
  readonly runFolder: string;
  /** Where what outlasts a run is kept: files of `persist/` and tasks. */
  readonly store: StateStore | null;
  readonly readOnly: boolean;
  readonly root: string;
  readonly plan: { readonly repository: { readonly clone_url: string } } | null;
  readonly resume: { readonly session: Pick<SavedSession, 'storage'> } | null;
  readonly redact: (text: string) => string;
  readonly now: () => Date;
}): RunState {
  const home = run.readOnly ? null : run.store;
  const storage = createRunStorage({
    folder: path.join(run.runFolder, 'storage'),
    runId: run.runId,
    home,
    restored: run.resume?.session.storage ?? {},
    redact: run.redact,
    now: run.now,
  });
  return {
    storage,
    tasks: {
      store: home ?? createMemoryStateStore(),
      repositoryUrl: run.plan?.repository.clone_url.replace(/\.git$/, '') ?? pathToFileURL(run.root).href,
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
