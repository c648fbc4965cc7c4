import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { isInside } from '../files/confine-path.ts';

/** True for a word of a command that can only be meant as a file: it has an ending, and is no pattern. */
export const isScript = (word: string): boolean => /^[^*?[\]{}]+\.[a-z][a-z0-9]{0,5}$/i.test(word);

/** True for what lies in a folder of the system, which every sandbox shows and no run can write to. */
export const isOfSystem = (file: string): boolean =>
  /^\/(usr|bin|sbin|lib|lib64)\//.test(path.normalize(file));

/**
 * Where a file that a command names is: in the checkout, by its path from the top, as a run could have written it, this one or the
 * one before; or elsewhere on this machine, by its real path. What is in the checkout by its letters or by where links lead counts as inside.
 */
export async function whereIs(
  absolute: string,
  root: string,
): Promise<{ readonly inside: string } | { readonly outside: string }> {
  const real = await realpath(absolute).catch(() => absolute);
  const inside = [path.resolve(absolute), real].find((one) => isInside(root, one));
  return inside === undefined ? { outside: real } : { inside: path.relative(root, inside) };
}
