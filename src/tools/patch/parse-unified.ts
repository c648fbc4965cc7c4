import { ToolError } from '../../contract/errors.ts';
import type { FilePatch, Hunk } from './file-patch.ts';
import { type GitHeader, parseFileHeader } from './parse-file-header.ts';
import { isHunkHeader, type PatchCursor, parseHunk, patchError } from './parse-hunk.ts';

/**
 * Parses a unified diff of one or many files, with or without git's headers. Text between the files
 * (a mail, a signature) is skipped, as in git. `strip` is the number of leading folders to remove;
 * null guesses. Throws `ToolError('invalid_patch')`.
 */
export function parseUnified(text: string, strip: number | null = null): FilePatch[] {
  const cursor: PatchCursor = { lines: text.split('\n'), at: 0 };
  const patches: FilePatch[] = [];
  while (cursor.at < cursor.lines.length) {
    const line = cursor.lines[cursor.at] ?? '';
    if (isHunkHeader(line)) {
      throw patchError(cursor.at, 'a hunk stands before any file; put --- a/file and +++ b/file before it');
    }
    if (/^(?:diff --(?:cc|combined) |@@@+ -)/.test(line)) {
      throw patchError(
        cursor.at,
        'a combined diff of a merge cannot be applied; give the diff to one parent',
      );
    }
    const header = parseFileHeader(cursor, strip);
    if (header === null) {
      cursor.at += 1;
      continue;
    }
    const at = cursor.at;
    const hunks = parseHunks(cursor);
    const patch = filePatch(header, hunks, at);
    if (patch !== null) patches.push(patch);
  }
  return patches;
}

/** Parses the hunks of a diff for a known file; its file headers, if any, must be of one file. */
export function parseHunksOnly(text: string): Hunk[] {
  const cursor: PatchCursor = { lines: text.replace(/^\n+/, '').split('\n'), at: 0 };
  if (!isHunkHeader(cursor.lines[0] ?? '')) {
    const patches = parseUnified(text);
    const [only] = patches;
    if (patches.length !== 1 || only?.kind !== 'update' || only.to !== null) {
      throw new ToolError(
        'invalid_patch',
        'unified_diff must change just this one existing file. Use apply_patch to add, delete, rename, or change several.',
      );
    }
    return [...only.hunks];
  }
  const hunks = parseHunks(cursor);
  const rest = cursor.lines.slice(cursor.at).find((line) => line.trim() !== '');
  if (rest !== undefined) throw patchError(cursor.lines.indexOf(rest), `"${rest}" does not belong to a hunk`);
  return hunks;
}

function parseHunks(cursor: PatchCursor): Hunk[] {
  const hunks: Hunk[] = [];
  while (isHunkHeader(cursor.lines[cursor.at] ?? '')) hunks.push(parseHunk(cursor));
  return hunks;
}

function filePatch(header: GitHeader, hunks: readonly Hunk[], at: number): FilePatch | null {
  const { oldPath, newPath } = header;
  if (header.added || oldPath === null) {
    if (newPath === null) throw patchError(at, 'both sides of the change are /dev/null');
    return { kind: 'add', path: newPath, content: addedContent(newPath, hunks), mode: header.mode };
  }
  if (header.deleted || newPath === null) return { kind: 'delete', path: oldPath, hunks };
  const renamed = oldPath !== newPath;
  if (hunks.length === 0 && !renamed && header.mode === null) {
    if (header.git) return null;
    throw patchError(at, `${newPath} has file headers but no hunk (@@ -1,2 +1,3 @@)`);
  }
  return {
    kind: 'update',
    path: oldPath,
    to: renamed ? newPath : null,
    copy: header.copy,
    overwrite: false,
    mode: header.mode,
    preimage: header.preimage,
    hunks,
  };
}

function addedContent(path: string, hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.some((line) => line.mark !== '+')) {
    throw new ToolError('invalid_patch', `${path} is a new file, so every line of it must begin with "+".`);
  }
  if (lines.length === 0) return '';
  const text = lines.map((line) => line.text).join('\n');
  return hunks.at(-1)?.finalNewline === false ? text : `${text}\n`;
}
