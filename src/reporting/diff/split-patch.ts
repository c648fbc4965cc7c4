import type { StructuredPatch } from 'diff';
import { parsePatch } from 'diff/lib/patch/parse.js';

/** One file's part of a patch: its text as git wrote it, and the paths on both sides (null: not there). */
export interface PatchSection {
  readonly text: string;
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

/**
 * A git patch file by file, in order, nothing left out but what stands before the first file. Lines of content
 * always start with a space, `+`, `-` or `\` and binary data has no spaces, so `diff --git ` at the start of a
 * line is a header and nothing else. A line begins behind `\n` alone: for `^` also behind the carriage returns and separators
 * that content may have, where anybody could write headers. A text without any header is one section without paths.
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

/** One file's patch as the library reads it; null for a text, of a model perhaps, that is no patch. */
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
 * A patch in parts of at most `room` characters that apply one by one, as many as `most`, and what did not fit: whole files,
 * as no file is ever cut.
 */
export function packPatch(
  patch: string,
  room: number,
  most: number,
): { readonly parts: readonly string[]; readonly left: string } {
  const parts: string[] = [];
  let left = '';
  for (const { text } of splitPatch(patch)) {
    const last = parts.at(-1) ?? '';
    if (parts.length > 0 && last.length + text.length <= room) parts[parts.length - 1] = last + text;
    else if (text.length <= room && parts.length < most) parts.push(text);
    else left += text;
  }
  return { parts, left };
}
