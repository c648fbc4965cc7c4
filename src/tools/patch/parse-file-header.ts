import { ToolError } from '../../contract/errors.ts';
import { gitNames, nameOf, strippedGit, strippedPlain, wholeName, without } from './header-names.ts';
import type { PatchCursor } from './parse-hunk.ts';

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
  const [oldPath, newPath] = strippedPlain([nameOf(line.slice(4), at), nameOf(next.slice(4), at + 1)], strip);
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
  while (takeField(cursor, fields, strip)) cursor.at += 1;

  let paths = names;
  const line = cursor.lines[cursor.at] ?? '';
  const next = cursor.lines[cursor.at + 1] ?? '';
  if (line.startsWith('--- ')) {
    if (!next.startsWith('+++ '))
      throw invalid(cursor.at + 1, 'a line "+++ b/file" must follow "--- a/file"');
    paths = strippedGit([nameOf(line.slice(4), cursor.at), nameOf(next.slice(4), cursor.at + 1)], strip);
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
function takeField(cursor: PatchCursor, fields: Fields, strip: number | null): boolean {
  const line = cursor.lines[cursor.at] ?? '';
  const field =
    /^(?<name>old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (?<value>.*)$/.exec(
      line,
    )?.groups;
  if (field?.name === undefined || field.value === undefined) return false;
  const { name, value } = field;
  // These names have no prefix, so one folder less is removed (git-apply(1), -p).
  const renamed = (): string => without(wholeName(value, cursor.at), Math.max(0, (strip ?? 1) - 1)) ?? '';
  if (name.endsWith('mode')) {
    const mode = permissionBits(value.trim(), cursor.at);
    if (name === 'new mode' || name === 'new file mode') fields.mode = mode;
    if (name === 'new file mode') fields.added = true;
    if (name === 'deleted file mode') fields.deleted = true;
  }
  if (name === 'copy from' || name === 'copy to') fields.copy = true;
  if (name === 'rename from' || name === 'copy from') fields.renameFrom = renamed();
  if (name === 'rename to' || name === 'copy to') fields.renameTo = renamed();
  if (name === 'index') fields.preimage = /^(?<old>[0-9a-f]{7,64})\.\./.exec(value)?.groups?.old ?? null;
  return true;
}

function permissionBits(mode: string, at: number): number {
  // Git tracks only the executable bit (git's read-cache, `create_ce_mode`).
  if (/^100[0-7]{3}$/.test(mode)) return (Number.parseInt(mode, 8) & 0o100) === 0 ? 0o644 : 0o755;
  throw invalid(at, `the mode ${mode} is not supported; only 100644 and 100755 files can be patched`);
}

/** True for the time stamp 1970-01-01 00:00:00 UTC, which `diff -N` gives to a missing file. */
function isEpoch(line: string): boolean {
  const stamp =
    /[ \t](?<day>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d)(?:\.0+)?\s(?<hours>[+-]\d\d):?(?<minutes>\d\d)\s*$/.exec(
      line,
    )?.groups;
  return stamp !== undefined && Date.parse(`${stamp.day}T${stamp.time}${stamp.hours}:${stamp.minutes}`) === 0;
}

function invalid(at: number, message: string): ToolError {
  return new ToolError('invalid_patch', `Patch line ${at + 1}: ${message}.`);
}
