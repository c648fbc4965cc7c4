import { closeSync, fstatSync, mkdirSync, rmdirSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import { chownFile } from './chown.ts';
import { errorCode, type OpenDirectory, openDirectory, openEntryDirectory } from './open-confined.ts';
import { openStagingFolder, type StagingFolder } from './staging-folder.ts';

const NEW_FOLDER_MODE = 0o755;

/** A target folder of writes, with its owner and file system. */
export interface TargetFolder extends OpenDirectory {
  readonly stats: Stats;
}

/** Open folders of one batch of writes. */
export interface TargetFolders {
  /**
   * Opens the folder at a path below the root; makes it if missing. `displayPath` is the file to
   * write.
   */
  open(relative: string, displayPath: string): TargetFolder;
  /** Staging folder for this target, on the same file system. */
  staging(folder: TargetFolder): StagingFolder;
  /** Parents of the folders that `open` made. */
  aroundMade(): readonly OpenDirectory[];
  /** Removes the folders that `open` made, if empty. */
  removeMade(): void;
  /** Deletes the staging folders and closes everything. */
  close(): void;
}

/**
 * Gives new folders the owner of their parent when we are root. The run's commands drop to that
 * user and must be able to change them.
 */
function giveToOwner(fd: number, around: Stats): void {
  if (process.geteuid?.() === 0) chownFile(fd, around.uid, around.gid);
}

/** Opens folders below `root`, a real path. Refuses links on the way (`ToolError('symlink')`). */
export function createTargetFolders(root: string): TargetFolders {
  const known = new Map<string, TargetFolder>();
  const staged = new Map<number, StagingFolder>();
  const made: { readonly parent: OpenDirectory; readonly name: string }[] = [];
  const remember = (directory: OpenDirectory): TargetFolder => {
    const folder = { ...directory, stats: fstatSync(directory.fd) };
    known.set(directory.relative, folder);
    return folder;
  };

  function open(relative: string, displayPath: string): TargetFolder {
    const before = known.get(relative);
    if (before !== undefined) return before;
    const found = openExisting(root, relative, displayPath);
    if (found !== null) return remember(found);
    const name = path.basename(relative);
    const above = path.dirname(relative);
    const parent = open(above === '.' ? '' : above, displayPath);
    makeEntry(parent, name, relative);
    made.push({ parent, name });
    const directory = openEntryDirectory(root, parent, name, displayPath);
    giveToOwner(directory.fd, parent.stats);
    return remember(directory);
  }

  return {
    open,
    staging(folder) {
      const found = staged.get(folder.stats.dev);
      if (found !== undefined) return found;
      const top = open('', '');
      const host = top.stats.dev === folder.stats.dev ? top : folder;
      const staging = openStagingFolder(host);
      staged.set(folder.stats.dev, staging);
      return staging;
    },
    aroundMade: () => made.map(({ parent }) => parent),
    removeMade() {
      for (const { parent, name } of made.toReversed()) removeIfEmpty(`${parent.folder}/${name}`);
    },
    close() {
      for (const staging of staged.values()) staging.close();
      for (const { fd } of known.values()) closeSync(fd);
    },
  };
}

/** Opens a folder without a link on the way; null if it does not exist. */
function openExisting(root: string, relative: string, displayPath: string): OpenDirectory | null {
  let found: OpenDirectory;
  try {
    found = openDirectory(root, path.join(root, relative), displayPath);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (errorCode(error) !== 'ENOTDIR') throw error;
    throw new ToolError('not_a_directory', `${displayPath} lies below something that is not a directory.`);
  }
  if (found.relative === relative) return found;
  closeSync(found.fd);
  const real = path.join(found.relative, path.basename(displayPath));
  throw new ToolError('symlink', `${displayPath} goes through a link. Write to ${real} instead.`);
}

function makeEntry(parent: OpenDirectory, name: string, relative: string): void {
  try {
    mkdirSync(`${parent.folder}/${name}`, NEW_FOLDER_MODE);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ToolError('symlink', `${relative} is a link that leads nowhere. Delete it first.`);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // A folder that has contents again stays.
    if (errorCode(error) === undefined) throw error;
  }
}
