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

/** What is older was left by a write that was killed; no write takes this long. */
const STALE_AFTER_MS = 60 * 60 * 1000;
/**
 * Git lists nothing below a folder of this name, and without a HEAD in it takes the one around it for no
 * repository: so a user's git sees nothing of what is staged, even if we are killed at once.
 */
const UNSEEN = '.git';
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A folder of our own inside the work tree, where new contents wait to be renamed into place. */
export interface StagingFolder {
  readonly fd: number;
  /** `/proc/self/fd/N`: what the entries are named by. */
  readonly folder: string;
  /** Takes it away with all that is still in it. What cannot go now is stale later. */
  close(): void;
}

/**
 * Makes a staging folder in `host`, which must be on the file system of the targets. What a process that was
 * killed left there more than an hour ago is taken away first.
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
    // Every name below is looked up in this one folder, whatever its path has become meanwhile.
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

/** Only errors of the system are expected here; anything else is a defect and stays one. */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
