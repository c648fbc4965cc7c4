import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FetchedAttachment } from '../../contract/attachment.ts';
import { ToolError } from '../../contract/errors.ts';

/** The images of the thread that a run is about, as they were when it was asked for. Hostile, as all of the thread. */
export interface Attachments {
  /** All that the thread context names: `image-1`, … */
  readonly names: readonly string[];
  /** The bytes of one of them; `ToolError('unavailable')` says why where it could not be had. */
  read(name: string): Promise<Buffer>;
}

/** For runs that are about no thread. */
export const noAttachments: Attachments = {
  names: [],
  read: (name) => Promise.reject(notAttached(name)),
};

/**
 * Keeps the images below the run's folder, in one that only our own code reads, and tells of those that are missing.
 * Names are `image-<number>`.
 */
export async function keepAttachments(
  runFolder: string,
  fetched: readonly FetchedAttachment[],
  tell: (message: string) => void,
): Promise<Attachments> {
  const folder = path.join(runFolder, 'attachments');
  const failures = new Map<string, string>();
  for (const one of fetched) {
    if ('failure' in one) {
      failures.set(one.name, one.failure);
      tell(`${one.name} of the thread could not be fetched: ${one.failure}`);
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
