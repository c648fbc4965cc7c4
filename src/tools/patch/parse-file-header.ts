import { ToolError } from '../../contract/errors.ts';
import type { PatchCursor } from './parse-hunk.ts';
import { parseQuotedPath } from './quoted-path.ts';

/** What stands before the hunks of a file. A null path is /dev/null. */
export interface GitHeader {
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly added: boolean;
  readonly deleted: boolean;
  readonly copy: boolean;
  /** True with a `diff --git` line, after which a file may have no hunks. */
  readonly git: boolean;
  /** New permission bits, where the patch names them. */
  readonly mode: number | null;
}

interface Fields {
  renameFrom?: string;
  renameTo?: string;
  copy: boolean;
  added: boolean;
  deleted: boolean;
  mode: number | null;
}

/**
 * Reads the header of the next file at the cursor: git's extended one, or `---` and `+++` alone. Null, with
 * nothing read, when none begins here. The format is that of git-diff(1), "Generating patch text with -p".
 */
export function parseFileHeader(cursor: PatchCursor): GitHeader | null {
  const line = cursor.lines[cursor.at] ?? '';
  if (line.startsWith('diff --git ')) return parseGitHeader(cursor);
  const next = cursor.lines[cursor.at + 1] ?? '';
  if (!line.startsWith('--- ') || !next.startsWith('+++ ')) return null;
  const at = cursor.at;
  cursor.at += 2;
  const [oldPath, newPath] = withoutPrefixes(
    isEpoch(line) ? null : pathOf(line.slice(4), at),
    isEpoch(next) ? null : pathOf(next.slice(4), at + 1),
  );
  return { oldPath, newPath, added: false, deleted: false, copy: false, git: false, mode: null };
}

function parseGitHeader(cursor: PatchCursor): GitHeader {
  const start = cursor.at;
  const names = gitNames((cursor.lines[start] ?? '').slice('diff --git '.length));
  cursor.at += 1;
  const fields: Fields = { copy: false, added: false, deleted: false, mode: null };
  while (takeField(cursor, fields)) cursor.at += 1;

  let paths = names;
  const line = cursor.lines[cursor.at] ?? '';
  const next = cursor.lines[cursor.at + 1] ?? '';
  if (line.startsWith('--- ')) {
    if (!next.startsWith('+++ '))
      throw invalid(cursor.at + 1, 'a line "+++ b/file" must follow "--- a/file"');
    paths = withoutPrefixes(pathOf(line.slice(4), cursor.at), pathOf(next.slice(4), cursor.at + 1));
    cursor.at += 2;
  } else if (/^GIT binary patch|^Binary files /.test(line)) {
    throw invalid(cursor.at, 'binary patches cannot be applied; write the file with a command instead');
  }
  const [oldPath, newPath] =
    fields.renameFrom !== undefined && fields.renameTo !== undefined
      ? [fields.renameFrom, fields.renameTo]
      : (paths ?? [undefined, undefined]);
  if (oldPath === undefined || newPath === undefined) {
    throw invalid(start, 'the file name is missing; add --- a/file and +++ b/file');
  }
  const { added, deleted, copy, mode } = fields;
  return {
    oldPath: added ? null : oldPath,
    newPath: deleted ? null : newPath,
    added,
    deleted,
    copy,
    git: true,
    mode,
  };
}

/** Takes one extended header line; false when the line at the cursor is none. */
function takeField(cursor: PatchCursor, fields: Fields): boolean {
  const line = cursor.lines[cursor.at] ?? '';
  const field =
    /^(?<name>old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (?<value>.*)$/.exec(
      line,
    )?.groups;
  if (field?.name === undefined || field.value === undefined) return false;
  const { name, value } = field;
  if (name.endsWith('mode')) {
    const mode = permissionBits(value.trim(), cursor.at);
    if (name === 'new mode' || name === 'new file mode') fields.mode = mode;
    if (name === 'new file mode') fields.added = true;
    if (name === 'deleted file mode') fields.deleted = true;
  }
  if (name === 'copy from' || name === 'copy to') fields.copy = true;
  if (name === 'rename from' || name === 'copy from') fields.renameFrom = pathOf(value, cursor.at) ?? '';
  if (name === 'rename to' || name === 'copy to') fields.renameTo = pathOf(value, cursor.at) ?? '';
  return true;
}

function permissionBits(mode: string, at: number): number {
  if (mode === '100644' || mode === '100755') return Number.parseInt(mode.slice(3), 8);
  throw invalid(at, `the mode ${mode} is not supported; only 100644 and 100755 files can be patched`);
}

/** `diff -N` gives a file that is not there the time stamp 1970-01-01 00:00:00 UTC, in its own time zone. */
function isEpoch(line: string): boolean {
  const stamp =
    /\t(?<day>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d)(?:\.0+)? (?<hours>[+-]\d\d):?(?<minutes>\d\d)\s*$/.exec(
      line,
    )?.groups;
  return stamp !== undefined && Date.parse(`${stamp.day}T${stamp.time}${stamp.hours}:${stamp.minutes}`) === 0;
}

/** A path as a header gives it: unquoted, without a time stamp after a tab; null for /dev/null. */
function pathOf(text: string, at: number): string | null {
  const path = text.startsWith('"')
    ? parseQuotedPath(text).path
    : text.replace(/\t.*$/, '').replace(/\r?$/, '').trimEnd();
  if (path === '') throw invalid(at, 'the file name is missing');
  return path === '/dev/null' ? null : path;
}

/** The two names of a `diff --git` line; null where spaces make them ambiguous, as git has it too. */
function gitNames(text: string): [string | null, string | null] | null {
  if (text.startsWith('"')) {
    const first = parseQuotedPath(text);
    const rest = first.rest.trimStart();
    return withoutPrefixes(first.path, rest.startsWith('"') ? parseQuotedPath(rest).path : rest);
  }
  if (text.endsWith('"')) {
    const quote = text.indexOf(' "');
    return withoutPrefixes(text.slice(0, quote), parseQuotedPath(text.slice(quote + 1)).path);
  }
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) {
    const [oldPath, newPath] = withoutPrefixes(text.slice(0, space), text.slice(space + 1));
    if (oldPath !== null && oldPath === newPath) return [oldPath, newPath];
  }
  return null;
}

/** Both paths without git's one-letter prefixes, where both have one; a lone `a/` is a folder's name. */
function withoutPrefixes(oldPath: string | null, newPath: string | null): [string | null, string | null] {
  const prefixed = /^[abciwo]\//;
  const paths = [oldPath, newPath].filter((path) => path !== null);
  const letters = new Set(paths.map((path) => path[0]));
  if (!paths.every((path) => prefixed.test(path)) || letters.size !== paths.length) return [oldPath, newPath];
  return [oldPath?.slice(2) ?? null, newPath?.slice(2) ?? null];
}

function invalid(at: number, message: string): ToolError {
  return new ToolError('invalid_patch', `Patch line ${at + 1}: ${message}.`);
}
