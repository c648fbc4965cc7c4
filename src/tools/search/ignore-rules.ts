import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SearchRoot } from './search-root.ts';

/** True if `.gitignore` excludes a path, which is named as the tools name it. */
export type Ignores = (path: string, kind: 'file' | 'directory') => boolean;

/**
 * Reads the `.gitignore` files of one repository on demand (gitignore(5)). Deeper files win, the
 * last rule of a file wins, and an ignored folder's content stays ignored. `top` is the prefix of
 * the repository's paths: empty for the workspace, `../shared-lib/` for another.
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

  /** Returns the verdict of the deepest file with a rule for this path, ignoring its folders. */
  const decide = (path: string, tested: string): boolean => {
    for (let folder = parentOf(path); ; folder = parentOf(folder.slice(0, -1))) {
      const verdict = verdictOf(
        rulesOf(folder),
        tested.slice(folder.length),
        parentOf(path).slice(folder.length),
      );
      if (verdict !== null) return verdict;
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

/** Returns what one file's rules say of a path in folders (`above`) below it; null for nothing. */
function verdictOf(rules: Ignore | null, path: string, above: string): boolean | null {
  const verdict = rules?.test(path);
  if (verdict?.unignored === true) return false;
  if (verdict?.ignored !== true) return null;
  // No folder above is ignored, so a rule that ignores one was overruled further down.
  return above === '' || rules?.test(above).ignored !== true ? true : null;
}

/** Returns the folder of a path with its slash; empty at the top. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Maximum bytes read of one rules file. */
const mostBytes = 1024 * 1024;

/** Reads synchronously, as filters run in the middle of a search. Null if missing. */
function textOf(files: ConfinedFiles, path: string): string | null {
  try {
    const opened = files.hold(path);
    try {
      if (opened.kind === 'directory') return null;
      const bytes = Buffer.alloc(Math.min(fstatSync(opened.fd).size, mostBytes));
      return bytes.subarray(0, readSync(opened.fd, bytes)).toString('utf8');
    } finally {
      closeSync(opened.fd);
    }
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/**
 * True if a `.gitignore` lies above the repository itself. ripgrep would follow it, unlike git, and
 * find nothing in a checkout inside an ignored folder. ripgrep then ignores all rules above the
 * searched folder. Its results are filtered by the repository's own rules.
 */
export function hasOuterRules(workspace: Workspace, root: SearchRoot): boolean {
  const top = root.repository?.root ?? workspace.root;
  for (let folder = path.dirname(top); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.gitignore'))) return true;
    if (folder === '/') return false;
  }
}
