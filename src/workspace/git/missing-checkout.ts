import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { findGit } from './git-layout.ts';

/**
 * Kind of a folder that is not a checkout: no files, a bare repository, or files without a
 * repository.
 */
type MissingCheckout = 'empty' | 'bare' | 'no repository';

/**
 * Returns why a folder is not a checkout; null for the top of a work tree. A bare repository has
 * `HEAD`, `objects` and `refs` at its top (gitrepository-layout).
 */
export function missingCheckout(root: string): MissingCheckout | null {
  if (findGit(root) !== null) return null;
  if (readdirSync(root).length === 0) return 'empty';
  const isFolder = (name: string) =>
    statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const head = statSync(path.join(root, 'HEAD'), { throwIfNoEntry: false });
  return head?.isFile() && isFolder('objects') && isFolder('refs') ? 'bare' : 'no repository';
}
