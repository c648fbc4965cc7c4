import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';
import { parseQuotedPath } from './quoted-path.ts';

/** The two names of a file in a header; null is /dev/null. */
export type NamePair = [string | null, string | null];

const stamp = /[ \t]+\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [+-]\d\d:?\d\d)?\s*$/;

/**
 * Parses a path of `--- ` or `+++ `: unquoted, without time stamp; null for /dev/null. `at` is the
 * index of the line. Throws `ToolError('invalid_patch')`.
 */
export function nameOf(text: string, at: number): string | null {
  const plain = text.replace(/\r$/, '');
  if (plain.startsWith('"')) return checked(parseQuotedPath(plain).path, at);
  // Git adds a tab to a name with spaces, and quotes a name with a tab.
  const tab = plain.indexOf('\t');
  const path = tab === -1 ? plain.replace(stamp, '').trimEnd() : plain.slice(0, tab).replace(stamp, '');
  return path === '/dev/null' ? null : checked(path, at);
}

/** Parses a path of `rename from` and the like: the whole line. */
export function wholeName(text: string, at: number): string {
  const plain = text.replace(/\r$/, '');
  return checked(plain.startsWith('"') ? parseQuotedPath(plain).path : plain, at);
}

function checked(path: string, at: number): string {
  if (path === '') throw new ToolError('invalid_patch', `Patch line ${at + 1}: the file name is missing.`);
  if (path.includes('\ufffd') || !isUtf8(Buffer.from(path, 'utf8'))) {
    throw new ToolError(
      'invalid_patch',
      `Patch line ${at + 1}: the file name is not UTF-8, which file tools cannot write; use a command.`,
    );
  }
  return path;
}

/**
 * Parses the two names of a `diff --git` line. Null if spaces make them ambiguous, as in git. Names
 * are returned as `strip` leaves them.
 */
export function gitNames(text: string, at: number, strip: number | null): NamePair | null {
  const plain = text.replace(/\r$/, '');
  const pair = (first: string, second: string): NamePair =>
    strippedGit([checked(first, at), checked(second, at)], strip);
  if (plain.startsWith('"')) {
    const first = parseQuotedPath(plain);
    const rest = first.rest.trimStart();
    return pair(first.path, rest.startsWith('"') ? parseQuotedPath(rest).path : rest);
  }
  if (plain.endsWith('"')) {
    const quote = plain.indexOf(' "');
    return pair(plain.slice(0, quote), parseQuotedPath(plain.slice(quote + 1)).path);
  }
  for (let space = plain.indexOf(' '); space !== -1; space = plain.indexOf(' ', space + 1)) {
    if (space === 0 || space === plain.length - 1) continue;
    const [oldPath, newPath] = pair(plain.slice(0, space), plain.slice(space + 1));
    if (oldPath !== null && oldPath === newPath) return [oldPath, newPath];
  }
  return null;
}

/**
 * Removes the prefixes of both names: `strip` leading folders, or, for null, git's one letter if
 * both have one. A lone `a/` is a folder's name.
 */
export function strippedGit([oldPath, newPath]: NamePair, strip: number | null): NamePair {
  if (strip !== null) return [without(oldPath, strip), without(newPath, strip)];
  const prefixed = /^[abciwo]\//;
  const paths = [oldPath, newPath].filter((path) => path !== null);
  const letters = new Set(paths.map((path) => path[0]));
  if (!paths.every((path) => prefixed.test(path)) || letters.size !== paths.length) return [oldPath, newPath];
  return [oldPath?.slice(2) ?? null, newPath?.slice(2) ?? null];
}

/**
 * Resolves the names of a header without git's lines, which never renames (git-apply(1)): `old/f.c`
 * and `new/f.c` are `f.c`; of `f.c.orig` and `f.c` the shorter counts; else the second.
 */
export function strippedPlain(names: NamePair, strip: number | null): NamePair {
  const [oldPath, newPath] = strippedGit(names, strip);
  if (oldPath === null || newPath === null || oldPath === newPath) return [oldPath, newPath];
  if (strip === null) {
    const [old, fresh] = [oldPath.split('/'), newPath.split('/')];
    for (let drop = 1; old.length === fresh.length && drop < old.length; drop += 1) {
      const rest = old.slice(drop).join('/');
      if (rest === fresh.slice(drop).join('/')) return [rest, rest];
    }
  }
  const meant = newPath.startsWith(oldPath) ? oldPath : newPath;
  return [meant, meant];
}

/** Removes the first folders of a path. Git's own names for no file stay. */
export function without(path: string | null, folders: number): string | null {
  if (path === null || folders === 0) return path;
  const parts = path.split(/\/+/);
  if (parts.length > folders) return parts.slice(folders).join('/');
  throw new ToolError(
    'invalid_patch',
    `${path} has not ${folders} leading folders to strip; set strip lower.`,
  );
}
