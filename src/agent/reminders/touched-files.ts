import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Targets } from '../../permissions/policy/policy.ts';

/**
 * Collects the files that the calls of one run touch, main or child, for reminders on some files
 * only.
 */
export interface TouchedFiles {
  /** Notes what a call that was made touched. */
  add(targets: Targets): void;
  /**
   * Records as `record` does, and notes the files that entries say were changed, by commands too,
   * and turns that were summarised.
   */
  recording(record: (entry: RunEntry) => void): (entry: RunEntry) => void;
  /** The paths since it was asked last, as the calls named them, each once. */
  take(): string[];
  /**
   * Returns true if turns were summarised since the last call, so that earlier reminders are lost.
   */
  takeSummarised(): boolean;
}

/** Opens the touched files of a new run. */
export function newTouchedFiles(): TouchedFiles {
  const paths = new Set<string>();
  let summarised = false;
  return {
    add(targets) {
      for (const { path } of targets.paths ?? []) paths.add(path);
    },
    recording: (record) => (entry) => {
      if (entry.type === 'change') paths.add(entry.change.path);
      summarised ||= entry.type === 'compaction' && entry.kept !== undefined;
      record(entry);
    },
    take() {
      const taken = [...paths];
      paths.clear();
      return taken;
    },
    takeSummarised() {
      const was = summarised;
      summarised = false;
      return was;
    },
  };
}
