import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { streamRunLedger } from '../agent/ledger/read-run-ledger.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { RunChain } from '../reporting/html/page-context.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { recordOf } from './run-record.ts';

type Started = Extract<RunEntry, { type: 'run.started' }>;

/** Limits: runs of one checkout inspected, and runs of one session followed back. */
const mostLooked = 200;
const mostFollowed = 50;

/**
 * Returns the runs of a local run's session from the records of the checkout; unreadable ones are
 * skipped.
 */
export async function localRunChain(runId: string, root: string): Promise<RunChain> {
  const own = await startOf(runId, root);
  const earlier = own?.after ?? null;
  let first = own;
  for (let step = 0; step < mostFollowed && first?.after !== undefined; step += 1)
    first = await startOf(first.after.run_id, root);
  return {
    request: first?.prompt ?? null,
    earlier,
    later: await laterOf(runId, root),
  };
}

async function laterOf(runId: string, root: string): Promise<RunChain['later']> {
  const names = await readdir(path.join(root, harnessFolder)).catch(() => []);
  const runs = names.filter((name) => name.startsWith('run_') && name > runId).sort();
  for (const name of runs.slice(0, mostLooked)) {
    const started = await startOf(name, root);
    if (started?.after?.run_id === runId) return { run_id: name, words: started.prompt };
  }
  return null;
}

/** Reads the start of a run from its record; null without one. */
async function startOf(runId: string, root: string): Promise<Started | null> {
  const folder = /^[\w-]+$/.test(runId) ? recordOf(runId, root) : null;
  if (folder === null) return null;
  try {
    for await (const { entry } of streamRunLedger(path.join(folder, 'ledger.jsonl')))
      if (entry.type === 'run.started') return entry;
  } catch {
    // A record that is broken tells nothing of the others.
  }
  return null;
}
