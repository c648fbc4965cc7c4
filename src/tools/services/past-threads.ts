import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { PastMessage, PastRun, pastMessagesKey, pastRuns } from '../../contract/past-run.ts';
import type { StateStore } from '../../contract/state-store.ts';

/** The runs on this repository that ended before, as far as this run may know of them. */
export interface PastThreads {
  /** The newest part of each session, newest first. */
  list(): Promise<readonly PastRun[]>;
  /** The conversation of one; null where this run sees no more of it than was posted, or nothing was kept. */
  messages(run: PastRun): Promise<readonly PastMessage[] | null>;
}

const Messages = z.array(PastMessage);

/**
 * Past runs of one repository. `trust` is that of the run that reads: one that works for strangers sees what was posted, and never a
 * conversation, in which tools may have said anything.
 */
export function openPastThreads(options: {
  readonly store: StateStore;
  readonly trust: PastRun['trust'];
}): PastThreads {
  const { store, trust } = options;
  return {
    async list() {
      const keys = (await store.list(pastRuns)).reverse();
      const texts = await Promise.all(keys.map((key) => store.get(key)));
      const runs = texts.flatMap((text) => {
        const run = PastRun.safeParse(parseJson(text ?? 'null'));
        return run.success ? [run.data] : [];
      });
      const seen = new Set<string>();
      // What was posted nowhere is not public either.
      return runs
        .filter(({ posted }) => trust === 'own' || posted)
        .filter(({ session_id: id }) => !seen.has(id) && seen.add(id));
    },
    async messages(run) {
      if (trust === 'outside' || run.trust === 'outside') return null;
      const text = await store.get(pastMessagesKey(run.run_id));
      return Messages.safeParse(parseJson(text ?? 'null')).data ?? null;
    },
  };
}

/** Where nothing of earlier runs is kept. */
export const noPastThreads: PastThreads = { list: async () => [], messages: async () => null };
