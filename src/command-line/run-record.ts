import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import type { Change } from '../contract/change.ts';
import type { RunLedgerLine } from '../contract/run-ledger.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { localRunsFolder } from './local-folders.ts';
import { logLine } from './log-line.ts';
import { usageError } from './parse-arguments.ts';

/** Returns the record folder of a local run: its own, else its copy in the checkout. */
export function recordOf(runId: string, root: string): string | null {
  const places = [path.join(localRunsFolder(), runId), path.join(root, harnessFolder, runId)];
  return places.find((folder) => existsSync(path.join(folder, 'ledger.jsonl'))) ?? null;
}

/**
 * Describes the newest runs of a checkout, for errors about a missing run. Runs that have not ended
 * are those of all checkouts.
 */
export async function knownRuns(root: string): Promise<string> {
  const ended = await newestRecords(path.join(root, harnessFolder));
  const others = await newestRecords(localRunsFolder());
  return [
    ended === '' ? `No run has left its record in ${root}.` : `The newest runs here: ${ended}.`,
    ...(others === '' ? [] : [`Killed or still active: ${others}.`]),
  ].join(' ');
}

/** Names the newest records of a folder; '' for none. */
async function newestRecords(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith('run_') && existsSync(path.join(folder, name, 'ledger.jsonl')))
    .sort()
    .slice(-5)
    .reverse()
    .join(', ');
}

/** A run that a command names, with its record. */
export interface NamedRun {
  readonly runId: string;
  readonly folder: string;
  readonly lines: readonly RunLedgerLine[];
}

/** Returns the named run of a checkout. Throws a usage error that lists the newest runs. */
export async function namedRun(command: string, runId: string | undefined, root: string): Promise<NamedRun> {
  if (runId === undefined) throw usageError(command, `it takes a run. ${await knownRuns(root)}`);
  const folder = /^[\w-]+$/.test(runId) ? recordOf(runId, root) : null;
  if (folder === null)
    throw usageError(
      command,
      `there is no record of ${logLine(runId)} for ${root}. ${await knownRuns(root)}`,
    );
  return { runId, folder, lines: await readRunLedger(path.join(folder, 'ledger.jsonl')) };
}

/** Returns the changes of a run, in order. */
export function changesOf({ lines }: Pick<NamedRun, 'lines'>): Change[] {
  return lines.flatMap(({ entry }) => (entry.type === 'change' ? [entry.change] : []));
}
