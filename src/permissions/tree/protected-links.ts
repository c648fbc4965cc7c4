import { realpathSync } from 'node:fs';
import type { WatchedEntry } from './tree-watch.ts';

/** A link under a protected name, or in the place of a folder that holds some, and where it leads; both are paths from the root. */
export interface ProtectedLink {
  readonly link: string;
  readonly target: string;
}

/** Those among the names that were found in the tree at `root`; what leads out of the tree, or nowhere, is none. */
export function protectedLinks(root: string, entries: readonly WatchedEntry[]): ProtectedLink[] {
  return entries.flatMap(({ path, kind, concern }) => {
    if (kind !== 'link' || concern !== 'protected') return [];
    const bytes = Buffer.from(path, 'latin1');
    const target = realTarget(root, Buffer.concat([Buffer.from(`${root}/`), bytes]));
    return target === null ? [] : [{ link: bytes.toString('utf8'), target }];
  });
}

/** The names by which links lead to a path: `.vscode/mcp.json` for `vs/mcp.json` where `.vscode` is a link to `vs`. */
export function namesByLinks(path: string, links: readonly ProtectedLink[]): string[] {
  return links.flatMap(({ link, target }) =>
    path === target || path.startsWith(`${target}/`) ? [link + path.slice(target.length)] : [],
  );
}

function realTarget(root: string, link: Buffer): string | null {
  try {
    const real = realpathSync(link);
    return real.startsWith(`${root}/`) ? real.slice(root.length + 1) : null;
  } catch {
    return null;
  }
}
