import type { StructuredPatch } from 'diff';
import { parsePatch } from 'diff/lib/patch/parse.js';

/** One file's part of a patch: git's text and the paths on both sides (null: absent). */
interface PatchSection {
  readonly text: string;
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

/**
 * Splits a git patch by file, in order. Text before the first file is dropped. Content lines start
 * with a space, `+`, `-` or `\`, so `diff --git ` at the start of a line is always a header. Lines
 * start only after `\n`: `^` also matches after carriage returns and separators, where content
 * could forge headers. A text without a header is one section without paths.
 */
export function splitPatch(patch: string): PatchSection[] {
  const parts = patch.split(/(?<=^|\n)(?=diff --git )/u).filter((text) => text.startsWith('diff --git '));
  if (parts.length === 0) return patch === '' ? [] : [{ text: patch, oldPath: null, newPath: null }];
  return parts.map((text) => {
    const parsed = readPatch(headerOf(text));
    return {
      text,
      oldPath: parsed?.isCreate ? null : strip(parsed?.oldFileName, 'a/'),
      newPath: parsed?.isDelete ? null : strip(parsed?.newFileName, 'b/'),
    };
  });
}

/** The part of a file's diff before its first hunk or its binary data. */
export function headerOf(section: string): string {
  return section.split(/(?<=^|\n)(?=@@ |GIT binary patch)/u)[0] ?? '';
}

/** The texts of the hunks of a file's diff, in order; without any, none. */
export function hunkTexts(section: string): string[] {
  return section.split(/(?<=^|\n)(?=@@ )/u).filter((text) => text.startsWith('@@ '));
}

/** Parses one file's patch. Null for a text that is not a patch. */
export function readPatch(section: string): StructuredPatch | null {
  try {
    return parsePatch(section)[0] ?? null;
  } catch {
    return null;
  }
}

function strip(name: string | undefined, prefix: string): string | null {
  if (name === undefined || name === '/dev/null') return null;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/**
 * Packs a patch into at most `most` parts of at most `budget` characters. Returns what did not fit.
 * No file is split.
 */
export function packPatch(
  patch: string,
  budget: number,
  most: number,
): { readonly parts: readonly string[]; readonly rest: string } {
  const parts: string[] = [];
  let rest = '';
  for (const { text } of splitPatch(patch)) {
    const last = parts.at(-1) ?? '';
    if (parts.length > 0 && last.length + text.length <= budget) parts[parts.length - 1] = last + text;
    else if (text.length <= budget && parts.length < most) parts.push(text);
    else rest += text;
  }
  return { parts, rest };
}

/** One line of a hunk. `unended` marks a last line without a line end. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'deleted';
  /** Number in the old file, null for an added line; numbers count from 1. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
  readonly unended: boolean;
}

/**
 * One file of a diff. `path` is the name for GitHub's API: the new one, or the old one of a deleted
 * file.
 */
export interface FileHunks {
  readonly path: string;
  readonly oldPath: string | null;
  /** True when lines were changed and nothing else: no rename, mode, creation or deletion. */
  readonly plain: boolean;
  readonly hunks: readonly (readonly DiffLine[])[];
  /** The file's part of the diff, as git wrote it. */
  readonly text: string;
}

/**
 * Parses a git diff into files and hunks. An unreadable part keeps its text, has no hunks and is
 * not plain. Without a readable name its path is empty.
 */
export function parseHunks(diff: string): FileHunks[] {
  return splitPatch(diff).map(({ text, oldPath, newPath }) => {
    const header = headerOf(text);
    const parsed = header === text ? null : readPatch(text);
    const lines = (parsed?.hunks ?? []).map((hunk) => numberHunkLines(hunk));
    return {
      path: newPath ?? oldPath ?? '',
      oldPath,
      plain: lines.length > 0 && oldPath === newPath && !/^(?:old mode|new mode) /mu.test(header),
      hunks: lines,
      text,
    };
  });
}

/** The lines of a hunk with their numbers on both sides. */
export function numberHunkLines(hunk: {
  oldStart: number;
  newStart: number;
  lines: readonly string[];
}): DiffLine[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const lines: DiffLine[] = [];
  for (const [index, raw] of hunk.lines.entries()) {
    const mark = raw.charAt(0);
    if (mark === '\\') continue;
    const unended = hunk.lines[index + 1]?.startsWith('\\') ?? false;
    const text = raw.slice(1);
    if (mark === '+') lines.push({ kind: 'added', oldLine: null, newLine: newLine++, text, unended });
    else if (mark === '-') lines.push({ kind: 'deleted', oldLine: oldLine++, newLine: null, text, unended });
    else lines.push({ kind: 'context', oldLine: oldLine++, newLine: newLine++, text, unended });
  }
  return lines;
}

/** Counts added and removed lines. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  const hunks = diff.slice(Math.max(0, diff.search(/^@@ /m)));
  return { added: hunks.match(/^\+/gm)?.length ?? 0, removed: hunks.match(/^-/gm)?.length ?? 0 };
}
