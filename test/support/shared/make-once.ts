import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';

/**
 * A folder that the first test to ask for it fills, for all files of this run: only to be read. Two that ask
 * at the same time may both make it; one of the two stays.
 */
export async function makeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const made = path.join(inject('sharedFolder'), name);
  if (existsSync(made)) return made;
  const draft = await mkdtemp(`${made}-`);
  await fill(draft);
  await rename(draft, made).catch(async (cause: unknown) => {
    if (!existsSync(made)) throw cause;
    await rm(draft, { recursive: true });
  });
  return made;
}
