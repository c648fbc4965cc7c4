import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { temporaryPrefix } from './confine-path.ts';
import { errorCode, type OpenDirectory, openEntryDirectory } from './open-confined.ts';

/** What is older was left by a write that was killed; no write takes this long. */
const STALE_AFTER_MS = 60 * 60 * 1000;

/** A folder of our own inside the work tree, where new contents wait to be renamed into place. */
export interface StagingFolder {
  readonly host: OpenDirectory;
  readonly name: string;
  readonly directory: OpenDirectory;
}

/**
 * Makes a staging folder in `host`, which must be on the file system of the targets. It ignores itself
 * (gitignore), so that git sees nothing of it even when the process is killed; what such a process left there
 * more than an hour ago is taken away first.
 */
export function openStagingFolder(root: string, host: OpenDirectory): StagingFolder {
  for (const name of readdirSync(host.folder)) if (name.startsWith(temporaryPrefix)) removeStale(host, name);
  const name = `${temporaryPrefix}${randomBytes(8).toString('hex')}`;
  mkdirSync(`${host.folder}/${name}`, 0o700);
  const directory = openEntryDirectory(root, host, name, name);
  writeFileSync(`${directory.folder}/.gitignore`, '*\n', { flag: 'wx', mode: 0o600 });
  return { host, name, directory };
}

/** Takes the folder away with all that is still in it. Never throws: what cannot go now is stale later. */
export function closeStagingFolder({ host, name, directory }: StagingFolder): void {
  empty(directory);
  closeSync(directory.fd);
  quietly(() => rmdirSync(`${host.folder}/${name}`));
}

function removeStale(host: OpenDirectory, name: string): void {
  const full = `${host.folder}/${name}`;
  quietly(() => {
    const stats = lstatSync(full);
    if (Date.now() - stats.mtimeMs < STALE_AFTER_MS) return;
    if (!stats.isDirectory()) {
      unlinkSync(full);
      return;
    }
    // Every name below is looked up in this one directory, whatever its path has become meanwhile.
    const directory = openEntryDirectory('/', host, name, name);
    empty(directory);
    closeSync(directory.fd);
    rmdirSync(full);
  });
}

function empty(directory: OpenDirectory): void {
  quietly(() => {
    for (const name of readdirSync(directory.folder)) {
      quietly(() => unlinkSync(`${directory.folder}/${name}`));
    }
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
