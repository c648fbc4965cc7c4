import { lstatSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { largest } from '../../contract/lists.ts';
import { readTenant } from '../../contract/state-store.ts';
import { removeTree } from '../files/remove-tree.ts';
import { type RecordSize, readRecordSizes, writeRecordSizes } from './record-sizes.ts';

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
  /** Size in bytes. Default: read where it is needed. */
  readonly bytes?: number;
}

/**
 * Deletes run folders (`<base>/<tenant>/attempt…/run_…`) unchanged for `maxAgeMs`, then the oldest
 * until the rest takes at most `maxBytes`. Touches nothing else under `base` and follows no link.
 * Failed deletions are reported to `onProblem`. Returns the number of deleted folders.
 */
export async function pruneRuns(base: string, retention: RunRetention, ports: PrunePorts): Promise<number> {
  return pruneFolders(await runsIn(base), retention, ports);
}

/**
 * The same for the run folders directly in `folder`. With `measured`, they are finished records:
 * each is measured once, and its size is stored beside it, so that many records cost little.
 */
export async function pruneRunFolders(
  folder: string,
  retention: RunRetention,
  ports: PrunePorts & { readonly measured: boolean },
): Promise<number> {
  // A checkout may have a link in its place.
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) return 0;
  const runs = await foldersIn(folder, isRun);
  const mayBeInUse = (run: string) =>
    ports.now - (lstatSync(run, { throwIfNoEntry: false })?.mtimeMs ?? 0) < graceMs;
  // A run changed last when its folder did, or later: none of these can be deleted.
  if (runs.every(mayBeInUse)) return 0;
  if (!ports.measured) return pruneFolders(await changesOf(runs), retention, ports);
  return pruneFolders(await measuredIn(folder, runs, ports.now), retention, ports);
}

/** A record that was changed within this time may still be copied, so its size is not stored. */
const unsettledMs = 60 * 60 * 1000;

/** Measures records that are new or have another content than when they were measured. */
async function measuredIn(folder: string, runs: readonly string[], now: number): Promise<StoredRun[]> {
  const stored = await readRecordSizes(folder);
  const sizes = new Map<string, RecordSize>();
  let isSame = true;
  const found = await Promise.all(
    runs.map(async (run) => {
      const name = path.basename(run);
      const folderMs = (await lstat(run).catch(() => null))?.mtimeMs ?? 0;
      const before = stored.get(name);
      if (before?.folderMs === folderMs) {
        sizes.set(name, before);
        return { folder: run, ...before };
      }
      const change = await lastChange(run);
      if (change === null) return null;
      const bytes = await sizeOf(run);
      if (now - change.changedMs > unsettledMs) {
        isSame = false;
        sizes.set(name, { folderMs, changedMs: change.changedMs, bytes });
      }
      return { ...change, bytes };
    }),
  );
  if (!isSame || sizes.size !== stored.size) await writeRecordSizes(folder, sizes);
  return found.filter((run) => run !== null);
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
  for (const { folder, changedMs, bytes } of runs) {
    const age = now - changedMs;
    if (age < graceMs || (age <= maxAgeMs && total <= maxBytes)) total += bytes ?? (await sizeOf(folder));
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
