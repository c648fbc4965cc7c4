import { realpathSync } from 'node:fs';
import type { WatchedEntry } from './watch-name.ts';

/**
 * A link at a protected name, or at a folder that contains some, with its target. Both are paths
 * from the root.
 */
export interface ProtectedLink {
  readonly link: string;
  readonly target: string;
}

/**
 * Returns the protected links among the watched names of the tree at `root`. Links that leave the
 * tree or lead nowhere are omitted.
 */
export function protectedLinks(root: string, entries: readonly WatchedEntry[]): ProtectedLink[] {
  return entries.flatMap(({ path, kind, concern }) => {
    if (kind !== 'link' || concern !== 'protected') return [];
    const bytes = Buffer.from(path, 'latin1');
    const target = realTarget(root, Buffer.concat([Buffer.from(`${root}/`), bytes]));
    return target === null ? [] : [{ link: bytes.toString('utf8'), target }];
  });
}

/**
 * Returns the names by which links lead to a path: `.vscode/mcp.json` for `vs/mcp.json` if
 * `.vscode` is a link to `vs`.
 */
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
