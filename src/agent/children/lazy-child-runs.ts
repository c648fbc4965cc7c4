import type { RunEntry } from '../../contract/run-ledger.ts';
import type { RunTree } from '../loop/run-tree.ts';
import type { ChildRuns } from './child-runs.ts';

/**
 * The children of a run, whose module is loaded when the first of them is asked for: most runs have
 * none.
 */
export function lazyChildRuns(runTree: RunTree, record: (entry: RunEntry) => void): ChildRuns {
  let opened: ChildRuns | null = null;
  const open = async (): Promise<ChildRuns> => {
    const { openChildRuns } = await import('./child-runs.ts');
    opened ??= openChildRuns(runTree, record);
    return opened;
  };
  return {
    agents: async () => (await open()).agents(),
    start: async (request) => (await open()).start(request),
    send: async (id, text, options) => (await open()).send(id, text, options),
    wait: async (ids, options) => (await open()).wait(ids, options),
    close: async (id) => (await open()).close(id),
    list: async () => opened?.list() ?? [],
    news: async () => opened?.news() ?? null,
    unfinished: () => opened?.unfinished() ?? null,
    end: async () => opened?.end(),
  };
}
