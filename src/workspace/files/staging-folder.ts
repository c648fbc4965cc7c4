import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { temporaryPrefix } from './confine-path.ts';
import { errorCode, type OpenDirectory } from './open-confined.ts';

/** Older folders were left by killed writes; no write takes this long. */
const STALE_AFTER_MS = 60 * 60 * 1000;
/**
 * Git lists nothing below a folder of this name, and without a HEAD it is not a repository. So a
 * user's git never sees staged files, even after a kill.
 */
const UNSEEN = '.git';
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A staging folder inside the work tree for new contents before their rename. */
export interface StagingFolder {
  readonly fd: number;
  /** `/proc/self/fd/N`, the prefix of entry paths. */
  readonly folder: string;
  /** Deletes it with its contents. A failed deletion is left for the stale clean-up. */
  close(): void;
}

/**
 * Makes a staging folder in `host`, which must be on the file system of the targets. First deletes
 * folders that killed processes left there more than an hour ago.
 */
export function openStagingFolder(host: OpenDirectory): StagingFolder {
  for (const name of readdirSync(host.folder)) if (name.startsWith(temporaryPrefix)) removeStale(host, name);
  const outer = `${host.folder}/${temporaryPrefix}${randomBytes(8).toString('hex')}`;
  mkdirSync(outer, 0o700);
  mkdirSync(`${outer}/${UNSEEN}`, 0o700);
  const fd = openSync(`${outer}/${UNSEEN}`, DIRECTORY);
  const folder = `/proc/self/fd/${fd}`;
  return {
    fd,
    folder,
    close() {
      empty(folder);
      closeSync(fd);
      quietly(() => rmdirSync(`${outer}/${UNSEEN}`));
      quietly(() => rmdirSync(outer));
    },
  };
}

function removeStale(host: OpenDirectory, name: string): void {
  const outer = `${host.folder}/${name}`;
  quietly(() => {
    const stats = lstatSync(outer);
    if (Date.now() - stats.mtimeMs < STALE_AFTER_MS || !stats.isDirectory()) return;
    // All names below resolve in this one folder, even if its path is swapped.
    const fd = openSync(outer, DIRECTORY);
    quietly(() => {
      const inner = openSync(`/proc/self/fd/${fd}/${UNSEEN}`, DIRECTORY);
      empty(`/proc/self/fd/${inner}`);
      closeSync(inner);
      rmdirSync(`/proc/self/fd/${fd}/${UNSEEN}`);
    });
    closeSync(fd);
    rmdirSync(outer);
  });
}

function empty(folder: string): void {
  quietly(() => {
    for (const name of readdirSync(folder)) quietly(() => unlinkSync(`${folder}/${name}`));
  });
}

/** Ignores system errors only; any other error is a defect. */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
