import { constants, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';

/** A measured record: its last change, and its size in bytes. */
const RecordSize = z.object({
  /** Time of change of the folder itself when it was measured. */
  folderMs: z.number(),
  changedMs: z.number(),
  bytes: z.number().nonnegative(),
});
export type RecordSize = z.infer<typeof RecordSize>;

const RecordSizes = z.record(z.string(), RecordSize);

const sizesFile = '.sizes.json';

/** Reads the stored sizes of a folder of records, by name; empty if there are none. */
export async function readRecordSizes(folder: string): Promise<ReadonlyMap<string, RecordSize>> {
  // A command may have left a link or a FIFO in its place.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path.join(folder, sizesFile), flags).catch(() => null);
  if (file === null) return new Map();
  try {
    if (!(await file.stat()).isFile()) return new Map();
    const stored = RecordSizes.safeParse(parseJson(await file.readFile('utf8'))).data;
    return new Map(Object.entries(stored ?? {}));
  } finally {
    await file.close();
  }
}

/** Stores the sizes. A folder that cannot be written is measured again by the next run. */
export async function writeRecordSizes(
  folder: string,
  sizes: ReadonlyMap<string, RecordSize>,
): Promise<void> {
  const fresh = path.join(folder, `${sizesFile}.${process.pid}`);
  try {
    await writeFile(fresh, JSON.stringify(Object.fromEntries(sizes)), { flag: 'wx', mode: 0o600 });
    await rename(fresh, path.join(folder, sizesFile));
  } catch {
    await rm(fresh, { force: true }).catch(() => undefined);
  }
}
