import { readFileSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode } from '../files/open-confined.ts';
import { removeTree } from '../files/remove-tree.ts';

/** Manifest of a stored result. */
export const Manifest = z.object({
  version: z.literal(1),
  builtAt: z.string(),
  places: z.array(z.string()),
  bytes: z.number(),
  trusted: z.boolean(),
  /** Repository, as in `SetupRequest`. */
  repository: z.string().default(''),
});
export type Manifest = z.infer<typeof Manifest>;

/** Names of stored results. */
export const keyForm = /^[0-9a-f]{40}$/;

/** Reads the manifest of a result; null if missing or incomplete. */
export async function readManifest(folder: string, key: string): Promise<Manifest | null> {
  try {
    const text = await readFile(join(folder, key, 'manifest.json'), 'utf8');
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof z.ZodError || error instanceof SyntaxError)
      return null;
    throw error;
  }
}

/** Deletes a result; false if it is gone or in use. */
export async function takeAway(folder: string, key: string): Promise<boolean> {
  // Renamed first, so that no one takes half of it.
  const gone = join(folder, `work-${markOf(process.pid)}-${key}`);
  try {
    await rename(join(folder, key), gone);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Another process may have taken it meanwhile.
  if ((await readdir(folder)).some((name) => name.startsWith(`use-${key}-`))) {
    await rename(gone, join(folder, key));
    return false;
  }
  await removeTree(gone).catch(() => undefined);
  return true;
}

/** Deletes leftovers of ended processes. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const by = /^(?:work|use-[0-9a-f]{40})-(\d+(?:\.\d+)?)-/.exec(name)?.[1];
    // A failed deletion must not block other set-ups.
    if (by !== undefined && by !== markOf(by.split('.')[0] ?? ''))
      await removeTree(join(folder, name)).catch(() => undefined);
  }
}

/**
 * Identifies a process by number and start time; null if it does not exist. A restarted container
 * reuses the number of its first process (proc_pid_stat(5), field 22; the name in parentheses may
 * hold anything).
 */
export function markOf(pid: number | string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}.${stat.slice(stat.lastIndexOf(')')).split(' ')[20]}`;
  } catch {
    return null;
  }
}
