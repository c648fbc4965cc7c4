import { closeSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import { type ConfinedPath, isGitPath } from './confine-path.ts';
import { nearNames } from './near-names.ts';
import { errorCode, isDirectory, openDirectory } from './open-confined.ts';

/** True for a system error that means the path does not exist. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}

/** Returns the error for a missing path, with similar names. `start` is the run's start folder. */
export function missing(at: ConfinedPath, start: string, cause?: unknown): ToolError {
  const same = sameNamed(at.root, at.relative, start).map((one) => path.join(prefixOf(at), one));
  const near = same.length > 0 ? [] : nearPaths(at);
  const suggestion = same.length > 0 ? ` Did you mean ${same.join(' or ')}?` : '';
  const hint = near.length > 0 ? ` Near it: ${near.join(', ')}.` : suggestion;
  return new ToolError('not_found', `${at.displayPath} does not exist.${hint}`, { cause });
}

/** Prefix of the display path before the part below the root. */
function prefixOf(at: ConfinedPath): string {
  return at.displayPath.slice(0, at.displayPath.length - at.relative.length);
}

/** Finds names similar to the first missing part of the path, as paths for a tool. */
function nearPaths(at: ConfinedPath): string[] {
  const parts = at.relative.split('/');
  const named = prefixOf(at);
  for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
    const folder = parts.slice(0, depth).join('/');
    try {
      const directory = openDirectory(at.root, path.join(at.root, folder), at.displayPath);
      try {
        const names = readdirSync(directory.folder).filter((name) => !isGitPath(name));
        return nearNames(parts[depth] ?? '', names).map((name) => path.join(named, folder, name));
      } finally {
        closeSync(directory.fd);
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return [];
}

/** Translates system errors that a model can act on; returns any other error unchanged. */
export function explain(error: unknown, at: ConfinedPath, start = ''): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return missing(at, start, error);
    case 'EACCES':
    case 'EPERM':
      return new ToolError('no_access', `${at.displayPath} may not be opened: its permissions forbid it.`, {
        cause: error,
      });
    case 'ENAMETOOLONG':
      return new ToolError('invalid_input', 'A part of the path is longer than a file name may be.', {
        cause: error,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolError('no_space', `The disk is full: nothing was written to ${at.displayPath}.`, {
        cause: error,
      });
    case 'EROFS':
      return new ToolError(
        'no_access',
        `${at.displayPath} may only be read: its file system forbids writing.`,
        {
          cause: error,
        },
      );
    case 'ENXIO':
      return notFile(at);
    case 'EISDIR':
      // The file was swapped for a folder between the check and the write.
      return isDirectory(at.displayPath);
    case 'ELOOP':
      return new ToolError('not_found', `${at.displayPath} goes through a loop of links.`, {
        cause: error,
      });
    default:
      return error;
  }
}

/** Returns the error for a pipe, socket or device. */
export function notFile(at: ConfinedPath): ToolError {
  return new ToolError('not_a_file', `${at.displayPath} is neither a file nor a directory; it is not read.`);
}

/** Folders searched per path, below the start folder and below the root each: some milliseconds. */
const mostFolders = 200;
/** Folders with more entries are skipped. */
const mostEntries = 2_000;
const mostFound = 3;

/** Folders of third-party or generated files. */
const foreign = new Set('node_modules .venv venv __pycache__ dist build target vendor'.split(' '));

/**
 * Returns at most three paths below `root` with the base name of `wanted`. Order: below `start` (''
 * is the root), then most shared folders, then nearest to the top. Follows no link. Never throws
 * for unreadable folders.
 */
export function sameNamed(root: string, wanted: string, start: string): string[] {
  const name = path.basename(wanted);
  const nearest = (paths: readonly string[]) =>
    paths.filter((one) => one !== wanted).sort((one, other) => shared(other, wanted) - shared(one, wanted));
  const below = start === '' ? [] : found(root, start, name);
  return [...nearest(below), ...nearest(found(root, '', name, start))].slice(0, mostFound);
}

/** Finds paths of that name below a folder, except below `without`, nearest first. */
function found(root: string, from: string, name: string, without?: string): string[] {
  const paths: string[] = [];
  const folders = [from];
  for (const folder of folders)
    for (const entry of entriesOf(root, folder)) {
      const at = path.join(folder, entry.name);
      if (isGitPath(entry.name)) continue;
      if (entry.name === name) paths.push(at);
      const goesOn = entry.isDirectory() && !foreign.has(entry.name) && at !== without;
      if (goesOn && folders.length < mostFolders) folders.push(at);
    }
  return paths;
}

function entriesOf(root: string, folder: string) {
  try {
    const directory = openDirectory(root, path.join(root, folder), folder);
    try {
      const entries = readdirSync(directory.folder, { withFileTypes: true });
      return entries.length > mostEntries ? [] : entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      closeSync(directory.fd);
    }
  } catch {
    // A failed hint is not an error.
    return [];
  }
}

/** Counts the equal trailing parts of two paths. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 ? a.length : differs;
}
