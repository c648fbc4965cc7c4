import { readFileSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode } from '../files/open-confined.ts';
import { removeTree } from '../files/remove-tree.ts';

/** What stands beside a kept result. */
export const Manifest = z.object({
  version: z.literal(1),
  builtAt: z.string(),
  places: z.array(z.string()),
  bytes: z.number(),
  trusted: z.boolean(),
  /** Whose it is, as the set-up's place names it. */
  repository: z.string().default(''),
});
export type Manifest = z.infer<typeof Manifest>;

/** The names of kept results. */
export const keyForm = /^[0-9a-f]{40}$/;

/** What a result was kept with; null where it is not there, or not whole. */
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

/** Deletes a result; false where it is gone already, or in use. */
export async function takeAway(folder: string, key: string): Promise<boolean> {
  // Out of the way first, so that nobody takes half of it.
  const gone = join(folder, `work-${markOf(process.pid)}-${key}`);
  try {
    await rename(join(folder, key), gone);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  // Somebody may have taken it since the look.
  if ((await readdir(folder)).some((name) => name.startsWith(`use-${key}-`))) {
    await rename(gone, join(folder, key));
    return false;
  }
  await removeTree(gone).catch(() => undefined);
  return true;
}

/** Takes away what processes that have ended were making or using. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const by = /^(?:work|use-[0-9a-f]{40})-(\d+(?:\.\d+)?)-/.exec(name)?.[1];
    // One that cannot be taken away must not keep others from their set-up.
    if (by !== undefined && by !== markOf(by.split('.')[0] ?? ''))
      await removeTree(join(folder, name)).catch(() => undefined);
  }
}

/**
 * A process by its number and the time it started at, null where there is none: a container gives its first process the same number
 * each time it starts (proc_pid_stat(5), field 22; the name in parentheses may hold anything).
 */
export function markOf(pid: number | string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}.${stat.slice(stat.lastIndexOf(')')).split(' ')[20]}`;
  } catch {
    return null;
  }
}
