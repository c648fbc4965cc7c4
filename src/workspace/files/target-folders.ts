import { closeSync, fstatSync, mkdirSync, rmdirSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import { giveFile } from './give-file.ts';
import { errorCode, type OpenDirectory, openDirectory, openEntryDirectory } from './open-confined.ts';
import { openStagingFolder, type StagingFolder } from './staging-folder.ts';

const NEW_FOLDER_MODE = 0o755;

/** A folder that files are written to, with its owner and file system. */
export interface TargetFolder extends OpenDirectory {
  readonly stats: Stats;
}

/** The open folders of one batch of writes. */
export interface TargetFolders {
  /** The folder at a path below the root, made where it is missing; `shown` is the file to be written. */
  open(relative: string, shown: string): TargetFolder;
  /** Where what goes into this folder is staged: on the same file system. */
  staging(folder: TargetFolder): StagingFolder;
  /** The folders around those that `open` made. */
  aroundMade(): readonly OpenDirectory[];
  /** Removes the folders that `open` made, as far as they are empty. */
  removeMade(): void;
  /** Takes the staging folders away and closes everything. */
  close(): void;
}

/**
 * As root, what is made belongs to whoever owns the directory around it: commands of the run drop to that
 * owner and must be able to change it.
 */
function giveToOwner(fd: number, around: Stats): void {
  if (process.geteuid?.() === 0) giveFile(fd, around.uid, around.gid);
}

/** Folders below `root`, a real path. A link on the way is refused (`ToolError('symlink')`), wherever it leads. */
export function createTargetFolders(root: string): TargetFolders {
  const known = new Map<string, TargetFolder>();
  const staged = new Map<number, StagingFolder>();
  const made: { readonly parent: OpenDirectory; readonly name: string }[] = [];
  const remember = (directory: OpenDirectory): TargetFolder => {
    const folder = { ...directory, stats: fstatSync(directory.fd) };
    known.set(directory.relative, folder);
    return folder;
  };

  function open(relative: string, shown: string): TargetFolder {
    const before = known.get(relative);
    if (before !== undefined) return before;
    try {
      const found = openDirectory(root, path.join(root, relative), shown);
      if (found.relative === relative) return remember(found);
      closeSync(found.fd);
      const real = path.join(found.relative, path.basename(shown));
      throw new ToolError('symlink', `${shown} goes through a link. Write to ${real} instead.`);
    } catch (error) {
      if (errorCode(error) === 'ENOTDIR') {
        throw new ToolError('not_a_directory', `${shown} lies below something that is not a directory.`);
      }
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    const name = path.basename(relative);
    const above = path.dirname(relative);
    const parent = open(above === '.' ? '' : above, shown);
    try {
      mkdirSync(`${parent.folder}/${name}`, NEW_FOLDER_MODE);
      made.push({ parent, name });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      throw new ToolError('symlink', `${relative} is a link that leads nowhere. Delete it first.`);
    }
    const directory = openEntryDirectory(root, parent, name, shown);
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
      for (const { parent, name } of made.toReversed()) {
        try {
          rmdirSync(`${parent.folder}/${name}`);
        } catch (error) {
          // Somebody has put something there meanwhile: it is theirs.
          if (errorCode(error) === undefined) throw error;
        }
      }
    },
    close() {
      for (const staging of staged.values()) staging.close();
      for (const { fd } of known.values()) closeSync(fd);
    },
  };
}
