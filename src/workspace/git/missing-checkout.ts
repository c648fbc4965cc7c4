import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { findGit } from './git-layout.ts';

/** A folder that is no checkout: without any file, a repository without files, or files without a repository. */
export type MissingCheckout = 'empty' | 'bare' | 'no repository';

/**
 * Tells why a folder is no checkout; null for the top of a work tree. A bare repository has what git calls for at its top
 * (gitrepository-layout): `HEAD`, `objects` and `refs`.
 */
export function missingCheckout(root: string): MissingCheckout | null {
  if (findGit(root) !== null) return null;
  if (readdirSync(root).length === 0) return 'empty';
  const isFolder = (name: string) =>
    statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const head = statSync(path.join(root, 'HEAD'), { throwIfNoEntry: false });
  return head?.isFile() && isFolder('objects') && isFolder('refs') ? 'bare' : 'no repository';
}
