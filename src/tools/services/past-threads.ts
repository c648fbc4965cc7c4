import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import { PastMessage, PastRun } from '../../contract/past-run.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';

/** Earlier runs on this repository, as far as this run may see them. */
export interface PastThreads {
  /** Returns the newest part of each session, newest first. */
  list(): Promise<readonly PastRun[]>;
  /** Returns a run's conversation. Null if only its posts are visible, or nothing was stored. */
  messages(run: PastRun): Promise<readonly PastMessage[] | null>;
}

const Messages = z.array(PastMessage);

/**
 * Opens the past runs of one repository. `trust` is that of the reading run: one that works for
 * strangers sees posts only, never a conversation, which may contain any tool output.
 */
export function openPastThreads(options: {
  readonly store: StateStore;
  readonly trust: PastRun['trust'];
}): PastThreads {
  const { store, trust } = options;
  return {
    async list() {
      const keys = (await store.list(stateKeys.pastRun(''))).reverse();
      const texts = await Promise.all(keys.map((key) => store.get(key)));
      const runs = texts.flatMap((text) => {
        const run = PastRun.safeParse(parseJson(text ?? 'null'));
        return run.success ? [run.data] : [];
      });
      const seen = new Set<string>();
      // An unposted run is not public either.
      return runs
        .filter(({ posted }) => trust === 'own' || posted)
        .filter(({ session_id: id }) => !seen.has(id) && seen.add(id));
    },
    async messages(run) {
      if (trust === 'outside' || run.trust === 'outside') return null;
      const text = await store.get(stateKeys.pastMessages(run.run_id));
      return Messages.safeParse(parseJson(text ?? 'null')).data ?? null;
    },
  };
}

/** Used if nothing of earlier runs is stored. */
export const noPastThreads: PastThreads = { list: async () => [], messages: async () => null };
