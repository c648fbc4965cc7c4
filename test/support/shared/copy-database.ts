import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from './make-once.ts';

const maker = path.join(import.meta.dirname, 'make-database.ts');

/** Puts the App's embedded database, as its first start leaves it, into a folder: making one takes seconds. */
export async function copyDatabase(folder: string): Promise<void> {
  const template = await makeOnce('database', async (directory) => {
    // Not here: whoever has had the database in its memory is slow to start processes from then on.
    await promisify(execFile)(process.execPath, ['--liftoff-only', maker, directory]);
  });
  // A thousand files: `cp` takes four times as long for them.
  cpSync(template, folder, { recursive: true });
}
