import { closeSync } from 'node:fs';
import type { Workspace } from '../../workspace/workspace.ts';
import { hasOuterRules, ignoreRules } from './ignore-rules.ts';
import { ripgrepBase, ripgrepPath, runSearch } from './run-search.ts';
import { prefixOf, type SearchRoot, topOf } from './search-root.ts';

/** Maximum bytes of all paths in a listing. */
const listingBytes = 16 * 1024 * 1024;

/** Options of a listing; `hidden` includes hidden files. */
export interface ListOptions {
  readonly hidden: boolean;
  readonly signal: AbortSignal;
}

/** Sorted paths as the tools name them; `truncated` if there are more. */
export interface FileListing {
  readonly paths: string[];
  readonly truncated: boolean;
}

/** Lists the files below a folder; null if its program is not installed. */
export type Lister = (
  workspace: Workspace,
  root: SearchRoot,
  options: ListOptions,
) => Promise<FileListing | null>;

/** The listers, best first; the last one needs no program. */
export const listers: readonly Lister[] = [listByRipgrep, listByWalk];

/**
 * Lists the files under one or several folders, sorted within each, without ignored files.
 * `truncated`: more than 16 MiB of names, or more than a minute.
 */
export async function listFiles(
  workspace: Workspace,
  roots: SearchRoot | readonly SearchRoot[],
  options: ListOptions,
  programs: readonly Lister[] = listers,
): Promise<FileListing> {
  const places = 'path' in roots ? [roots] : roots;
  const listings = await Promise.all(places.map((root) => listOne(workspace, root, options, programs)));
  return {
    paths: listings.flatMap(({ paths }) => paths),
    truncated: listings.some(({ truncated }) => truncated),
  };
}

async function listOne(
  workspace: Workspace,
  root: SearchRoot,
  options: ListOptions,
  programs: readonly Lister[],
): Promise<FileListing> {
  if (root.kind === 'file') return { paths: [root.path], truncated: false };
  for (const list of programs) {
    const listing = await list(workspace, root, options);
    if (listing !== null) return { ...listing, paths: listing.paths.sort() };
  }
  return { paths: [], truncated: true };
}

async function listByRipgrep(
  workspace: Workspace,
  root: SearchRoot,
  { hidden, signal }: ListOptions,
): Promise<FileListing | null> {
  const outer = hasOuterRules(workspace, root);
  const ignores = outer ? ignoreRules(workspace.files, topOf(root)) : null;
  const prefix = prefixOf(root);
  const paths: string[] = [];
  let bytes = 0;
  const opened = workspace.files.hold(root.path);
  try {
    const output = await runSearch({
      program: await ripgrepPath(),
      arguments: [
        ...ripgrepBase,
        ...(hidden ? ['--hidden'] : []),
        ...(outer ? ['--no-ignore-parent'] : []),
        ...['--files', '--null'],
      ],
      searched: opened,
      signal,
      separator: '\0',
      onRecord: (record) => {
        bytes += record.length + 1;
        if (bytes > listingBytes) return false;
        const path = `${prefix}${record}`;
        if (ignores?.(path, 'file') !== true) paths.push(path);
        return true;
      },
    });
    return output && { paths, truncated: output.timedOut || output.broke || bytes > listingBytes };
  } finally {
    closeSync(opened.fd);
  }
}

/** Walks the folders through the confined files; uses no program and follows no link. */
async function listByWalk(
  workspace: Workspace,
  root: SearchRoot,
  { hidden, signal }: ListOptions,
): Promise<FileListing> {
  const ignores = ignoreRules(workspace.files, topOf(root));
  const paths: string[] = [];
  const folders = [root.path];
  let bytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const prefix = folder === '.' ? '' : `${folder}/`;
    const entries = await workspace.files.list(folder);
    for (const { name, kind } of entries.filter((entry) => isListedName(entry.name, hidden))) {
      const path = `${prefix}${name}`;
      if (kind === 'symlink' || kind === 'other' || ignores(path, kind)) continue;
      (kind === 'directory' ? folders : paths).push(path);
      bytes += path.length + 1;
      if (bytes > listingBytes) return { paths, truncated: true };
    }
  }
  return { paths, truncated: false };
}

function isListedName(name: string, hidden: boolean): boolean {
  return name !== '.anode-harness' && (hidden || !name.startsWith('.'));
}
