import { pathGlobs } from '../patterns/path-globs.ts';
import { protectedGlobs } from './protected-globs.ts';

const matchers = protectedGlobs.map(([glob, reason]) => [pathGlobs([glob]), reason] as const);

/**
 * Why a path may not be written by a run, or null when it may. `path` is relative to the workspace; `.`,
 * `..` and doubled slashes are resolved, and case, Unicode form, trailing dots and spaces do not matter.
 * `allow` holds the globs of `protected.allow`, which lift a path.
 */
export function isProtected(path: string, allow: readonly string[] = []): string | null {
  const normal = normalise(path);
  const found = matchers.find(([matches]) => matches(normal));
  if (found === undefined) return null;
  const lifted = pathGlobs(allow.map((glob) => glob.toLowerCase()))(normal);
  return lifted ? null : found[1];
}

/** Folders that hold protected paths and are none themselves: `.vscode`, `.github`. A link there puts others in their place. */
const holders = pathGlobs(
  protectedGlobs.flatMap(([glob]) => {
    const parts = glob.replace(/\/\*\*$/, '').split('/');
    const first = parts[0] === '**' ? 2 : 1;
    return parts.slice(first).map((_, index) => parts.slice(0, first + index).join('/'));
  }),
);

/** True for a path at which a link leads to what then counts as protected. */
export function holdsProtected(path: string): boolean {
  return holders(normalise(path));
}

/** The last names of all protected paths, but for what lies in a protected folder, and of the folders that hold some. */
const watchedNames = new Set(protectedGlobs.flatMap(([glob]) => glob.replace(/\/\*\*$/, '').split('/')));
/** Names of which only the beginning is fixed, up to their first dot. */
const beginnings = new Set(
  [...watchedNames].filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -1)),
);
/** Names of which only the ending is fixed, from their last dot on. */
const endings = new Set(
  [...watchedNames].filter((name) => name.startsWith('*.')).map((name) => name.slice(1)),
);

/** False for almost every name, at a small cost: no protected path, nor a folder that holds one, ends in it. */
export function maybeProtected(name: string): boolean {
  const plain = /^[\x20-\x7e]*[^. ]$/.test(name) ? name.toLowerCase() : normalise(name);
  return (
    watchedNames.has(plain) ||
    beginnings.has(plain.slice(0, plain.indexOf('.') + 1)) ||
    endings.has(plain.slice(plain.lastIndexOf('.')))
  );
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part.replace(/[. ]+$/, ''));
  }
  return parts.join('/').toLowerCase();
}
