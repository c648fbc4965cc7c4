import type { RunEntry } from '../../contract/run-ledger.ts';
import type { RunTree } from '../loop/run-tree.ts';
import type { ChildRuns } from './child-runs.ts';

/** Returns `ChildRuns` that imports `child-runs.ts` on first use. */
export function lazyChildRuns(runTree: RunTree, record: (entry: RunEntry) => void): ChildRuns {
  let loadedRuns: ChildRuns | null = null;
  const load = async (): Promise<ChildRuns> => {
    const { openChildRuns } = await import('./child-runs.ts');
    loadedRuns ??= openChildRuns(runTree, record);
    return loadedRuns;
  };
  return {
    kinds: async () => (await load()).kinds(),
    start: async (request) => (await load()).start(request),
    send: async (id, text, options) => (await load()).send(id, text, options),
    wait: async (ids, options) => (await load()).wait(ids, options),
    close: async (id) => (await load()).close(id),
    list: async () => loadedRuns?.list() ?? [],
    news: async () => loadedRuns?.news() ?? null,
    unfinished: () => loadedRuns?.unfinished() ?? null,
    end: async () => loadedRuns?.end(),
  };
}
