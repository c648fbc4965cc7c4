import { closeSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { isGitPath } from './confine-path.ts';
import { openDirectory } from './open-confined.ts';

/** Folders searched per path, below the start folder and below the root each: some milliseconds. */
const mostFolders = 200;
/** Folders with more entries are skipped. */
const mostEntries = 2_000;
const mostFound = 3;

/** Folders of third-party or generated files. */
const foreign = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  'dist',
  'build',
  'target',
  'vendor',
]);

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
    // A failed hint is no error.
    return [];
  }
}

/** Counts the equal trailing parts of two paths. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 ? a.length : differs;
}
