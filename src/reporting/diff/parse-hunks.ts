import { headerOf, readPatch, splitPatch } from './split-patch.ts';

/** One line of a hunk. `unended` marks a last line without a line end. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'deleted';
  /** Its number in the old file, null for an added line; numbers count from 1. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
  readonly unended: boolean;
}

/** One file of a diff. `path` is the name GitHub's API wants: the new one, or the old one of a deleted file. */
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
 * Takes a diff by git apart, file by file, hunk by hunk. A part that cannot be read keeps its text, has no
 * hunks and is not plain; without a readable name its path is empty.
 */
export function parseHunks(diff: string): FileHunks[] {
  return splitPatch(diff).map(({ text, oldPath, newPath }) => {
    const header = headerOf(text);
    const parsed = header === text ? null : readPatch(text);
    const lines = (parsed?.hunks ?? []).map((hunk) => numberLines(hunk));
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
export function numberLines(hunk: {
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
