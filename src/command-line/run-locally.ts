import { rmSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/schema.ts';
import type { FinishedRun } from '../run/finish-run.ts';
import type { RunContext, RunInput } from '../run/records/run-context.ts';
import { run } from '../run/run.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import { localRunsFolder } from './local-folders.ts';

/** Delay after the start of a turn, so that its request is sent first. */
const pruneDelayMs = 50;

/**
 * Runs on a local checkout. Nothing of the run stays in the temporary folder: its record is in the
 * checkout. Only a record that could not be put there stays, also that of a run that broke. From
 * the first turn on, records beyond the limits of the configuration are deleted.
 */
export async function runLocally(
  input: RunInput,
  context: Omit<RunContext, 'runsFolder'>,
): Promise<FinishedRun> {
  const runsFolder = localRunsFolder();
  const own = path.join(runsFolder, input.runId);
  let pruning: Promise<void> | null = null;
  const prune = () => {
    pruning ??= pruneRecords(input.root, context.config);
  };
  let later: NodeJS.Timeout | null = null;
  const listen: RunContext['listen'] = (event) => {
    // While the model answers, it costs no time.
    if (event.type === 'turn.started') later ??= setTimeout(prune, pruneDelayMs);
    context.listen(event);
  };
  try {
    const finished = await run(input, { ...context, listen, runsFolder });
    if (path.basename(path.dirname(finished.folder)) === harnessFolder) await clear(own);
    return finished;
  } catch (error) {
    if (!(await hasBegun(own))) await clear(own);
    throw error;
  } finally {
    clearTimeout(later ?? undefined);
    if (later !== null) prune();
    await pruning;
    // Other runs may be in it.
    await rmdir(runsFolder).catch(() => undefined);
  }
}

/** Deletes the folder of a run, synchronously if it can: that takes 4 ms less. */
async function clear(folder: string): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    await removeTree(folder).catch(() => undefined);
  }
}

async function hasBegun(folder: string): Promise<boolean> {
  // Loaded for a run that broke only.
  const { readRunLedger } = await import('../agent/ledger/read-run-ledger.ts');
  const lines = await readRunLedger(path.join(folder, 'ledger.jsonl')).catch(() => []);
  return lines.some(({ entry }) => entry.type === 'run.started');
}

/** Standard limits of the records of a checkout. */
const standard = { days: 30, megabytes: 1_000 };

/** Deletes old records of the checkout, and what killed runs left. Problems are not reported. */
async function pruneRecords(root: string, { records: limits = {} }: Config): Promise<void> {
  const { pruneRunFolders } = await import('../workspace/storage/prune-runs.ts');
  const retention = {
    maxAgeMs: (limits.days ?? standard.days) * 24 * 60 * 60 * 1000,
    maxBytes: (limits.megabytes ?? standard.megabytes) * 1_000_000,
  };
  const ports = { now: Date.now(), onProblem: () => undefined };
  const records = path.join(root, harnessFolder);
  await pruneRunFolders(records, retention, { ...ports, measured: true });
  await pruneRunFolders(localRunsFolder(), retention, { ...ports, measured: false });
}
