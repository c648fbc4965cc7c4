import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../open-confined.ts';

/** Takes a folder away with all in it, also where folders below were made read-only, as package managers do. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) throw error;
    await openUp(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openUp(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openUp(join(folder, entry.name));
}
