import { closeSync } from 'node:fs';
import type { Workspace } from '../../workspace/workspace.ts';
import { ignoreRules } from './ignore-rules.ts';
import { hasOuterRules } from './outer-rules.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { runSearch } from './run-search.ts';
import { prefixOf, type SearchRoot, topOf } from './search-root.ts';

/** Paths of a big repository take more than matches do. */
const listingBytes = 16 * 1024 * 1024;

/** Which files are listed: hidden ones only when asked for. */
export interface ListOptions {
  readonly hidden: boolean;
  readonly signal: AbortSignal;
}

/** Paths as the tools name them, sorted; `truncated` tells that there are more. */
export interface FileListing {
  readonly paths: string[];
  readonly truncated: boolean;
}

/** A way to list the files below a folder; null where its program is not installed. */
export type Lister = (
  workspace: Workspace,
  root: SearchRoot,
  options: ListOptions,
) => Promise<FileListing | null>;

/** The ways to list files, best first; the last one needs no program. */
export const listers: readonly Lister[] = [listByRipgrep, listByWalk];

/**
 * Paths of the files under one or several folders, sorted within each; ignored files left out. `truncated` tells that
 * there were more than 16 MiB of names in one of them, or that listing them took more than a minute.
 */
export async function listFiles(
  workspace: Workspace,
  roots: SearchRoot | readonly SearchRoot[],
  options: ListOptions,
  ways: readonly Lister[] = listers,
): Promise<FileListing> {
  const places = 'path' in roots ? [roots] : roots;
  const listings = await Promise.all(places.map((root) => listOne(workspace, root, options, ways)));
  return {
    paths: listings.flatMap(({ paths }) => paths),
    truncated: listings.some(({ truncated }) => truncated),
  };
}

async function listOne(
  workspace: Workspace,
  root: SearchRoot,
  options: ListOptions,
  ways: readonly Lister[],
): Promise<FileListing> {
  if (root.kind === 'file') return { paths: [root.path], truncated: false };
  for (const list of ways) {
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
  const held = workspace.files.hold(root.path);
  try {
    const output = await runSearch({
      program: await ripgrepPath(),
      arguments: [
        ...ripgrepBase,
        ...(hidden ? ['--hidden'] : []),
        ...(outer ? ['--no-ignore-parent'] : []),
        ...['--files', '--null'],
      ],
      searched: held,
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
    closeSync(held.fd);
  }
}

/** Folder by folder, through the confined files: no program, and no link, is followed. */
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
    for (const { name, kind } of await workspace.files.list(folder)) {
      if (name === '.anode-harness' || (name.startsWith('.') && !hidden)) continue;
      const path = folder === '.' ? name : `${folder}/${name}`;
      if ((kind !== 'file' && kind !== 'directory') || ignores(path, kind)) continue;
      if (kind === 'directory') folders.push(path);
      else paths.push(path);
      bytes += path.length + 1;
      if (bytes > listingBytes) return { paths, truncated: true };
    }
  }
  return { paths, truncated: false };
}
