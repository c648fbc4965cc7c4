import { closeSync, fstatSync, readSync } from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';

/** Tells whether `.gitignore` leaves a path out; the path is named as the tools name it. */
export type Ignores = (path: string, kind: 'file' | 'directory') => boolean;

/**
 * The rules of the `.gitignore` files of one repository, read as they are needed (gitignore(5)): a file deeper down
 * wins, the last rule of a file wins, and what lies in an ignored folder stays ignored. `top` is the prefix of the
 * repository's paths: '' for the workspace, `../shared-lib/` for another.
 */
export function ignoreRules(files: ConfinedFiles, top: string): Ignores {
  const rules = new Map<string, Ignore | null>();
  const folders = new Map<string, boolean>();

  const rulesOf = (folder: string): Ignore | null => {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const text = textOf(files, `${top}${folder}.gitignore`);
    const read = text === null ? null : ignore({ allowRelativePaths: true, ignorecase: false }).add(text);
    rules.set(folder, read);
    return read;
  };

  /** The word of the deepest file that has one on just this path, whatever is said of the folders above it. */
  const decide = (path: string, asked: string): boolean => {
    for (let folder = parentOf(path); ; folder = parentOf(folder.slice(0, -1))) {
      const read = rulesOf(folder);
      const said = read?.test(asked.slice(folder.length));
      if (said?.unignored === true) return false;
      if (said?.ignored === true) {
        // Whoever asks knows that no folder above is ignored: a word on one of them was overruled further down.
        const above = parentOf(path).slice(folder.length);
        if (above === '' || read?.test(above).ignored !== true) return true;
      }
      if (folder === '') return false;
    }
  };

  const folderIgnored = (path: string): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const above = parentOf(path).slice(0, -1);
    const found = (above !== '' && folderIgnored(above)) || decide(path, `${path}/`);
    folders.set(path, found);
    return found;
  };

  return (path, kind) => {
    const below = path.slice(top.length);
    if (below === '') return false;
    if (kind === 'directory') return folderIgnored(below);
    const above = parentOf(below).slice(0, -1);
    return (above !== '' && folderIgnored(above)) || decide(below, below);
  };
}

/** The folder of a path with its slash, '' at the top. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** No list of rules written by hand is longer. */
const mostBytes = 1024 * 1024;

/** Read at once, since a search asks in the midst of what it is given. Null where there is no such file. */
function textOf(files: ConfinedFiles, path: string): string | null {
  try {
    const held = files.hold(path);
    try {
      if (held.kind === 'directory') return null;
      const bytes = Buffer.alloc(Math.min(fstatSync(held.fd).size, mostBytes));
      return bytes.subarray(0, readSync(held.fd, bytes)).toString('utf8');
    } finally {
      closeSync(held.fd);
    }
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
