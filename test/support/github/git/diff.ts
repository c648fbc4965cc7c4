import type { Side } from '../world.ts';
import { git } from './git.ts';

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The header and the lines below it, as in the patch. */
  readonly lines: readonly string[];
}

export interface DiffFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  readonly additions: number;
  readonly deletions: number;
  readonly blob: string;
  /** The hunks as GitHub gives them, without the file header; null for a binary file. */
  readonly patch: string | null;
  readonly hunks: readonly Hunk[];
}

const statuses = { A: 'added', D: 'removed', M: 'modified', R: 'renamed', T: 'changed' } as const;
const flags = ['--no-color', '--no-ext-diff', '--no-textconv', '-M', '--full-index'];

/** The commit where two lines of history part, null where they share none. */
export async function mergeBase(directory: string, base: string, head: string): Promise<string | null> {
  const found = await git(directory, ['merge-base', base, head], { accept: [1] });
  return found === '' ? null : found;
}

/** The unified diff between two trees, as text. */
export const diffText = (directory: string, from: string, to: string) =>
  git(directory, ['diff', ...flags, from, to]);

/** The diff between two trees, file by file, in git's order. */
export async function diffFiles(directory: string, from: string, to: string): Promise<DiffFile[]> {
  const [raw, text] = await Promise.all([
    git(directory, ['diff', ...flags, '--raw', '-z', '--no-abbrev', from, to]),
    diffText(directory, from, to),
  ]);
  const patches = text === '' ? [] : text.split(/^(?=diff --git )/m);
  const fields = raw.split('\0');
  const files: DiffFile[] = [];
  let nextPatch = 0;
  for (let at = 0; (fields[at] ?? '') !== ''; ) {
    const [, , oldBlob = '', newBlob = '', code = 'M'] = (fields[at] ?? '').split(' ');
    const letter = (code[0] ?? 'M') as keyof typeof statuses;
    const first = fields[at + 1] ?? '';
    const renamed = letter === 'R';
    const path = renamed ? (fields[at + 2] ?? '') : first;
    at += renamed ? 3 : 2;
    const patch = hunksOf(patches[nextPatch] ?? '');
    // A change of type (file to link) is one change and two patches.
    nextPatch += letter === 'T' ? 2 : 1;
    const hunks = patch === null ? [] : parseHunks(patch);
    const count = (sign: string) =>
      hunks.reduce(
        (sum, { lines }) => sum + lines.slice(1).filter((line) => line.startsWith(sign)).length,
        0,
      );
    files.push({
      path,
      previousPath: renamed ? first : null,
      status: statuses[letter] ?? 'modified',
      additions: count('+'),
      deletions: count('-'),
      blob: letter === 'D' ? oldBlob : newBlob,
      patch,
      hunks,
    });
  }
  return files;
}

function hunksOf(filePatch: string): string | null {
  const start = filePatch.search(/^@@ /m);
  return start < 0 ? null : filePatch.slice(start).replace(/\n$/, '');
}

/** Takes a patch without file header apart. */
export function parseHunks(patch: string): Hunk[] {
  return patch.split(/^(?=@@ -)/m).map((text) => {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    const number = (index: number, otherwise: number) => Number(header?.[index] ?? otherwise);
    return {
      oldStart: number(1, 0),
      oldLines: number(2, 1),
      newStart: number(3, 0),
      newLines: number(4, 1),
      lines: text.replace(/\n$/, '').split('\n'),
    };
  });
}

/** The hunk that shows a line of one side, undefined where the diff does not. */
export function hunkWith(file: DiffFile, side: Side, line: number): Hunk | undefined {
  return file.hunks.find((hunk) => {
    const [start, length] = side === 'LEFT' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    return line >= start && line < start + length;
  });
}

/** The hunk down to and with the line, as GitHub's `diff_hunk`. */
export function hunkUpTo(hunk: Hunk, side: Side, line: number): string {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const end = hunk.lines.findIndex((text, index) => {
    if (index === 0 || text.startsWith('\\')) return false;
    const onLeft = !text.startsWith('+');
    const onRight = !text.startsWith('-');
    const here = side === 'LEFT' ? onLeft && oldLine === line : onRight && newLine === line;
    if (onLeft) oldLine += 1;
    if (onRight) newLine += 1;
    return here;
  });
  return hunk.lines.slice(0, end < 0 ? undefined : end + 1).join('\n');
}

/** The line that stands `position` lines below the file's first hunk header (GitHub's older way). */
export function lineAtPosition(file: DiffFile, position: number): { side: Side; line: number } | undefined {
  let at = -1;
  for (const hunk of file.hunks) {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    for (const text of hunk.lines) {
      at += 1;
      if (text.startsWith('@@') || text.startsWith('\\')) continue;
      if (at === position)
        return text.startsWith('-') ? { side: 'LEFT', line: oldLine } : { side: 'RIGHT', line: newLine };
      if (!text.startsWith('+')) oldLine += 1;
      if (!text.startsWith('-')) newLine += 1;
    }
  }
  return undefined;
}

/** The number in `to` of a line of `from`, null where it was changed or removed. */
export async function followLine(
  directory: string,
  from: string,
  to: string,
  path: string,
  line: number,
): Promise<number | null> {
  const text = await git(directory, ['diff', '--no-color', '--no-ext-diff', '-U0', from, to, '--', path]);
  if (/^deleted file mode/m.test(text)) return null;
  let shift = 0;
  const patch = hunksOf(text);
  for (const hunk of patch === null ? [] : parseHunks(patch)) {
    // A pure insertion names the line before it as its old start.
    const lastBefore = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (line <= lastBefore) break;
    if (line < hunk.oldStart + hunk.oldLines) return null;
    shift += hunk.newLines - hunk.oldLines;
  }
  return line + shift;
}
