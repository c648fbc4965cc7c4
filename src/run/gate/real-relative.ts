import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../workspace/files/confine-path.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';

/**
 * Maximum path length that the kernel resolves (path_resolution(7), `PATH_MAX`). Anything below a
 * longer one does not exist.
 */
const longestPath = 4096;

/**
 * Resolves a path with its links. Returns it relative to the workspace, or absolute inside the
 * spill folder or a registered repository; else null. A missing path is resolved by its nearest
 * existing parent.
 */
export function realRelative(
  root: string,
  readableFolder: string,
  given: string,
  repositories: readonly RegisteredRepository[] = [],
): string | null {
  const named = nameInRepository(path.resolve(root, given), root, repositories);
  const cut = named.length > longestPath ? named.lastIndexOf('/', longestPath) : named.length;
  let existing = named.slice(0, cut) || '/';
  const missing: string[] = [];
  for (;;) {
    try {
      existing = realpathSync.native(existing);
      break;
    } catch {
      const parent = path.dirname(existing);
      if (parent === existing) return null;
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
  const real = path.join(existing, ...missing, named.slice(cut));
  if (isInside(root, real)) return path.relative(root, real);
  const readable = [readableFolder, ...repositories.map((repository) => repository.root)];
  return readable.some((folder) => isInside(folder, real)) ? real : null;
}

/** Maps a path below a repository's name to the repository's folder. */
function nameInRepository(
  absolute: string,
  root: string,
  repositories: readonly RegisteredRepository[],
): string {
  for (const { displayPath: shown, root: folder } of repositories) {
    const named = path.resolve(root, shown);
    if (isInside(named, absolute)) return path.join(folder, path.relative(named, absolute));
  }
  return absolute;
}
