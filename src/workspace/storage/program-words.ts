import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { isInside } from '../files/confine-path.ts';

/** True for a word that can only be a file: it has an extension and is no pattern. */
export const isScript = (word: string): boolean => /^[^*?[\]{}]+\.[a-z][a-z0-9]{0,5}$/i.test(word);

/** True for files in system folders, which every sandbox mounts and no run can write. */
export const isOfSystem = (file: string): boolean =>
  /^\/(usr|bin|sbin|lib|lib64)\//.test(path.normalize(file));

/**
 * Locates a file of a command: in the checkout, by path from the top, since a run may have written
 * it; or elsewhere, by real path. A file counts as inside by its path or by its resolved links.
 */
export async function whereIs(
  absolute: string,
  root: string,
): Promise<{ readonly inside: string } | { readonly outside: string }> {
  const real = await realpath(absolute).catch(() => absolute);
  const inside = [path.resolve(absolute), real].find((one) => isInside(root, one));
  return inside === undefined ? { outside: real } : { inside: path.relative(root, inside) };
}
