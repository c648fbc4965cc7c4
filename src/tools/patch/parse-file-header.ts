import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';
import { type PatchCursor, patchError } from './parse-hunk.ts';

/** The header before a file's hunks. A null path is /dev/null. */
export interface GitHeader {
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly added: boolean;
  readonly deleted: boolean;
  readonly copy: boolean;
  /** True with a `diff --git` line, after which a file may have no hunks. */
  readonly git: boolean;
  /** New permission bits, if the patch names them. */
  readonly mode: number | null;
  /** Git's name of the old content, perhaps abbreviated. */
  readonly preimage: string | null;
}

interface Fields {
  renameFrom?: string;
  renameTo?: string;
  copy: boolean;
  added: boolean;
  deleted: boolean;
  mode: number | null;
  preimage: string | null;
}

/**
 * Parses the header of the next file at the cursor: git's extended one, or `---` and `+++` alone.
 * Null, with nothing consumed, if none begins here. The format is that of git-diff(1), "Generating
 * patch text with -p". `strip` is the number of leading folders to remove; null guesses.
 */
export function parseFileHeader(cursor: PatchCursor, strip: number | null): GitHeader | null {
  const line = cursor.lines[cursor.at] ?? '';
  if (line.startsWith('diff --git ')) return parseGitHeader(cursor, strip);
  const next = cursor.lines[cursor.at + 1] ?? '';
  if (!line.startsWith('--- ') || !next.startsWith('+++ ')) return null;
  const at = cursor.at;
  cursor.at += 2;
  const [oldPath, newPath] = strippedPlain(
    [headerPath(line.slice(4), at), headerPath(next.slice(4), at + 1)],
    strip,
  );
  return {
    oldPath: isEpoch(line) ? null : oldPath,
    newPath: isEpoch(next) ? null : newPath,
    added: false,
    deleted: false,
    copy: false,
    git: false,
    mode: null,
    preimage: null,
  };
}

function parseGitHeader(cursor: PatchCursor, strip: number | null): GitHeader {
  const start = cursor.at;
  const names = gitNames((cursor.lines[start] ?? '').slice('diff --git '.length), start, strip);
  cursor.at += 1;
  const fields: Fields = { copy: false, added: false, deleted: false, mode: null, preimage: null };
  while (parseField(cursor, fields, strip)) cursor.at += 1;

  let paths = names;
  const line = cursor.lines[cursor.at] ?? '';
  const next = cursor.lines[cursor.at + 1] ?? '';
  if (line.startsWith('--- ')) {
    if (!next.startsWith('+++ '))
      throw patchError(cursor.at + 1, 'a line "+++ b/file" must follow "--- a/file"');
    paths = strippedGit(
      [headerPath(line.slice(4), cursor.at), headerPath(next.slice(4), cursor.at + 1)],
      strip,
    );
    cursor.at += 2;
  } else if (/^GIT binary patch|^Binary files /.test(line)) {
    throw patchError(cursor.at, 'binary patches cannot be applied; write the file with a command instead');
  }
  const [oldPath, newPath] =
    fields.renameFrom !== undefined && fields.renameTo !== undefined
      ? [fields.renameFrom, fields.renameTo]
      : (paths ?? [undefined, undefined]);
  if (oldPath === undefined || newPath === undefined) {
    throw patchError(start, 'the file name is missing; add --- a/file and +++ b/file');
  }
  const { added, deleted, copy, mode, preimage } = fields;
  return {
    oldPath: added ? null : oldPath,
    newPath: deleted ? null : newPath,
    added,
    deleted,
    copy,
    git: true,
    mode,
    preimage,
  };
}

/** Parses one extended header line. False if the line at the cursor is none. */
function parseField(cursor: PatchCursor, fields: Fields, strip: number | null): boolean {
  const line = cursor.lines[cursor.at] ?? '';
  const field =
    /^(?<name>old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (?<value>.*)$/.exec(
      line,
    )?.groups;
  if (field?.name === undefined || field.value === undefined) return false;
  const { name, value } = field;
  // These names have no prefix, so one folder less is removed (git-apply(1), -p).
  const renamed = (): string =>
    withoutFolders(wholeName(value, cursor.at), Math.max(0, (strip ?? 1) - 1)) ?? '';
  if (name.endsWith('mode')) parseMode(fields, name, permissionBits(value.trim(), cursor.at));
  fields.copy ||= name.startsWith('copy');
  if (/^(?:rename|copy) from$/.test(name)) fields.renameFrom = renamed();
  if (/^(?:rename|copy) to$/.test(name)) fields.renameTo = renamed();
  if (name === 'index') fields.preimage = /^(?<old>[0-9a-f]{7,64})\.\./.exec(value)?.groups?.old ?? null;
  return true;
}

function parseMode(fields: Fields, name: string, mode: number): void {
  if (name.startsWith('new')) fields.mode = mode;
  fields.added ||= name === 'new file mode';
  fields.deleted ||= name === 'deleted file mode';
}

function permissionBits(mode: string, at: number): number {
  // Git tracks only the executable bit (git's read-cache, `create_ce_mode`).
  if (/^100[0-7]{3}$/.test(mode)) return (Number.parseInt(mode, 8) & 0o100) === 0 ? 0o644 : 0o755;
  throw patchError(at, `the mode ${mode} is not supported; only 100644 and 100755 files can be patched`);
}

/** True for the time stamp 1970-01-01 00:00:00 UTC, which `diff -N` gives to a missing file. */
function isEpoch(line: string): boolean {
  const stamp =
    /[ \t](?<day>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d)(?:\.0+)?\s(?<hours>[+-]\d\d):?(?<minutes>\d\d)\s*$/.exec(
      line,
    )?.groups;
  return stamp !== undefined && Date.parse(`${stamp.day}T${stamp.time}${stamp.hours}:${stamp.minutes}`) === 0;
}

/** The two names of a file in a header; null is /dev/null. */
type NamePair = [string | null, string | null];

const stamp = /[ \t]+\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [+-]\d\d:?\d\d)?\s*$/;

/**
 * Parses a path of `--- ` or `+++ `: unquoted, without time stamp; null for /dev/null. `at` is the
 * index of the line. Throws `ToolError('invalid_patch')`.
 */
export function headerPath(text: string, at: number): string | null {
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
  if (path === '') throw patchError(at, 'the file name is missing');
  if (path.includes('\ufffd') || !isUtf8(Buffer.from(path, 'utf8'))) {
    throw patchError(at, 'the file name is not UTF-8, which file tools cannot write; use a command');
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
  if (strip !== null) return [withoutFolders(oldPath, strip), withoutFolders(newPath, strip)];
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
  const name = newPath.startsWith(oldPath) ? oldPath : newPath;
  return [name, name];
}

/** Removes the first folders of a path. Git's own names for no file stay. */
export function withoutFolders(path: string | null, folders: number): string | null {
  if (path === null || folders === 0) return path;
  const parts = path.split(/\/+/);
  if (parts.length > folders) return parts.slice(folders).join('/');
  throw new ToolError(
    'invalid_patch',
    `${path} has not ${folders} leading folders to strip; set strip lower.`,
  );
}

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/**
 * Parses a path quoted by git, with C escapes and octal bytes (git-config(1), `core.quotePath`).
 * `rest` is the text after the closing quote.
 */
export function parseQuotedPath(text: string): { path: string; rest: string } {
  const quoted = /^"(?<body>(?:[^"\\]|\\.)*)"/s.exec(text);
  const body = quoted?.groups?.body;
  if (quoted === null || body === undefined) return { path: text, rest: '' };
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of body.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain ?? ''));
  }
  return { path: Buffer.concat(bytes).toString('utf8'), rest: text.slice(quoted[0].length) };
}
