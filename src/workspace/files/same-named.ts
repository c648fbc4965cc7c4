import { closeSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { isGitPath } from './confine-path.ts';
import { openDirectory } from './open-confined.ts';

/** Folders that are looked into for one path, below the start folder and below the root each: some milliseconds. */
const mostFolders = 200;
/** Folders with more entries than this are passed over. */
const mostEntries = 2_000;
const mostFound = 3;

/** Folders that hold what others wrote or made. */
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
 * Paths below `root` with the last name of `wanted`, at most three: those below `start` (a folder, '' for the root) first, then those
 * that share most of the folders of `wanted`, then those nearest to the top. No link is followed. Never throws for what cannot be read.
 */
export function sameNamed(root: string, wanted: string, start: string): string[] {
  const name = path.basename(wanted);
  const nearest = (paths: readonly string[]) =>
    paths.filter((one) => one !== wanted).sort((one, other) => shared(other, wanted) - shared(one, wanted));
  const below = start === '' ? [] : found(root, start, name);
  return [...nearest(below), ...nearest(found(root, '', name, start))].slice(0, mostFound);
}

/** Paths of that name below a folder, but not below `without`, the nearest to it first. */
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
    // A hint is not worth an error of its own.
    return [];
  }
}

/** How many of the last parts of two paths are the same. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 ? a.length : differs;
}
