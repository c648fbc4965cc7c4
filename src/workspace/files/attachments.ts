import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { FetchedAttachment } from '../../contract/thread.ts';

/** Images of the run's thread at the time of the request. Hostile, like all of the thread. */
export interface Attachments {
  /** All names in the thread context: `image-1`, … */
  readonly names: readonly string[];
  /**
   * Returns the bytes of an image. Throws `ToolError('unavailable')` with the reason if it was not
   * fetched.
   */
  read(name: string): Promise<Buffer>;
}

/** For runs without a thread. */
export const noAttachments: Attachments = {
  names: [],
  read: (name) => Promise.reject(notAttached(name)),
};

/**
 * Saves the images below the run's folder, where only our own code reads them, and reports missing
 * ones. Names are `image-<number>`.
 */
export async function saveAttachments(
  runFolder: string,
  fetched: readonly FetchedAttachment[],
  log: (message: string) => void,
): Promise<Attachments> {
  const folder = path.join(runFolder, 'attachments');
  const failures = new Map<string, string>();
  for (const one of fetched) {
    if ('failure' in one) {
      failures.set(one.name, one.failure);
      log(`${one.name} of the thread could not be fetched: ${one.failure}`);
      continue;
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, path.basename(one.name)), one.bytes, { flag: 'wx', mode: 0o600 });
  }
  const names = fetched.map(({ name }) => name);
  return {
    names,
    async read(name) {
      if (!names.includes(name)) throw notAttached(name);
      const failure = failures.get(name);
      if (failure === undefined) return readFile(path.join(folder, path.basename(name)));
      throw new ToolError('unavailable', `${name} could not be fetched: ${failure} Go on without it.`);
    },
  };
}

const notAttached = (name: string): ToolError =>
  new ToolError('not_found', `Nothing is attached as ${name}.`);
