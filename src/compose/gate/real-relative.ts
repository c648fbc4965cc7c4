import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../workspace/confine-path.ts';
import type { RegisteredRepository } from '../../workspace/registered-repositories.ts';

/**
 * Where a path really leads, links followed: relative to the workspace, absolute inside the folder of spilled
 * output or a registered repository, else null. What does not exist yet is judged by its nearest existing parent.
 */
export function realRelative(
  root: string,
  readableFolder: string,
  given: string,
  repositories: readonly RegisteredRepository[] = [],
): string | null {
  let existing = nameInRepository(path.resolve(root, given), root, repositories);
  const missing: string[] = [];
  for (;;) {
    try {
      existing = realpathSync(existing);
      break;
    } catch {
      const parent = path.dirname(existing);
      if (parent === existing) return null;
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
  const real = path.join(existing, ...missing);
  if (isInside(root, real)) return path.relative(root, real);
  const readable = [readableFolder, ...repositories.map((repository) => repository.root)];
  return readable.some((folder) => isInside(folder, real)) ? real : null;
}

/** A path below the name of a repository, as a path in the folder it stands for. */
function nameInRepository(
  absolute: string,
  root: string,
  repositories: readonly RegisteredRepository[],
): string {
  for (const { shown, root: folder } of repositories) {
    const named = path.resolve(root, shown);
    if (isInside(named, absolute)) return path.join(folder, path.relative(named, absolute));
  }
  return absolute;
}
