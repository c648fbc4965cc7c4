import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { largest } from '../../contract/lists.ts';
import { readTenant } from '../../contract/state-store.ts';
import { removeTree } from '../files/remove-tree.ts';

/** Retention of run folders, by age and total size. */
interface RunRetention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** A run folder changed within this time may be in use and is never deleted. */
const graceMs = 6 * 60 * 60 * 1000;

interface StoredRun {
  readonly folder: string;
  readonly changedMs: number;
}

/**
 * Deletes run folders (`<base>/<tenant>/attempt…/run_…`) unchanged for `maxAgeMs`, then the oldest
 * until the rest takes at most `maxBytes`. Touches nothing else under `base` and follows no link.
 * Failed deletions are reported to `onProblem`. Returns the number of deleted folders.
 */
export async function pruneRuns(base: string, retention: RunRetention, ports: PrunePorts): Promise<number> {
  return pruneFolders(await runsIn(base), retention, ports);
}

/** The same for the run folders directly in `folder`, such as the records of a checkout. */
export async function pruneRunFolders(
  folder: string,
  retention: RunRetention,
  ports: PrunePorts,
): Promise<number> {
  // A checkout may have a link in its place.
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) return 0;
  return pruneFolders(await changesOf(await foldersIn(folder, isRun)), retention, ports);
}

interface PrunePorts {
  readonly now: number;
  readonly onProblem: (error: unknown) => void;
}

async function pruneFolders(
  found: readonly StoredRun[],
  { maxAgeMs, maxBytes }: RunRetention,
  { now, onProblem }: PrunePorts,
): Promise<number> {
  const runs = found.toSorted((a, b) => b.changedMs - a.changedMs);
  // Sizes are read only if there is a run that may be deleted.
  if (now - (runs.at(-1)?.changedMs ?? now) < graceMs) return 0;
  let removed = 0;
  let total = 0;
  for (const { folder, changedMs } of runs) {
    const age = now - changedMs;
    if (age < graceMs || (age <= maxAgeMs && total <= maxBytes)) total += await sizeOf(folder);
    if (age < graceMs || (age <= maxAgeMs && total <= maxBytes)) continue;
    try {
      await removeTree(folder);
      removed += 1;
    } catch (error) {
      onProblem(error);
    }
  }
  return removed;
}

async function runsIn(base: string): Promise<StoredRun[]> {
  const tenants = await foldersIn(base, (name) => readTenant(name) !== null);
  const attempts = await Promise.all(
    tenants.map((one) => foldersIn(one, (name) => /^attempt(-\d+)?$/.test(name))),
  );
  const runs = await Promise.all(attempts.flat().map((one) => foldersIn(one, isRun)));
  return changesOf(runs.flat());
}

const isRun = (name: string): boolean => /^run_\w+$/.test(name);

async function changesOf(folders: readonly string[]): Promise<StoredRun[]> {
  const found = await Promise.all(folders.map(lastChange));
  return found.filter((run) => run !== null);
}

/** Lists real subfolders by name; empty if the folder is missing. */
async function foldersIn(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && isWanted(entry.name))
    .map(({ name }) => path.join(folder, name));
}

/** Returns the last change of a folder or of a file in it; the record grows with every turn. */
async function lastChange(folder: string): Promise<StoredRun | null> {
  const names = await readdir(folder).catch(() => []);
  const facts = await Promise.all(
    [folder, ...names.map((name) => path.join(folder, name))].map((one) => lstat(one).catch(() => null)),
  );
  const times = facts.flatMap((fact) => (fact === null ? [] : [fact.mtimeMs]));
  return times.length === 0 ? null : { folder, changedMs: largest(times) };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(file);
    else bytes += (await lstat(file).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
