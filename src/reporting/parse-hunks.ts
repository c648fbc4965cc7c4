import { parsePatch } from 'diff';
import { splitPatch } from './split-patch.ts';

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

/** Takes a diff by git apart, file by file, hunk by hunk. Files without a readable name are left out. */
export function parseHunks(diff: string): FileHunks[] {
  return splitPatch(diff).flatMap(({ text, oldPath, newPath }) => {
    const path = newPath ?? oldPath;
    if (path === null) return [];
    const binary = /^GIT binary patch$|^Binary files /mu.test(headerOf(text));
    const hunks = binary ? [] : (parsePatch(text)[0]?.hunks ?? []);
    return [
      {
        path,
        oldPath,
        plain: !binary && oldPath === newPath && !/^(?:old mode|new mode) /mu.test(headerOf(text)),
        hunks: hunks.map((hunk) => numberLines(hunk)),
        text,
      },
    ];
  });
}

/** The part of a file's diff before its first hunk. */
export function headerOf(section: string): string {
  return section.split(/^(?=@@ )/mu)[0] ?? '';
}

function numberLines(hunk: { oldStart: number; newStart: number; lines: readonly string[] }): DiffLine[] {
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
