import type { TextFile } from '../text/text-file.ts';
import { lineEndingOf } from '../text/text-file.ts';
import type { Hunk, HunkLine, LocateHunk } from './file-patch.ts';
import { locateHunk } from './locate-hunk.ts';
import { searchedLines } from './searched-lines.ts';

/** How hunks are applied. */
export interface ApplyOptions {
  /** Finds the place of a hunk; left out, `locateHunk`, which is lenient as models need it. */
  readonly locate?: LocateHunk;
  /** The patch was made from this very content, so that its line endings are meant as they are. */
  readonly exact?: boolean;
}

const byteOrderMark = '\ufeff';

/**
 * A file with all hunks of a patch applied, or a `ToolError` and nothing. Kept lines stay as the file has
 * them. Added ones are taken byte for byte where the patch has the lines around them byte for byte as the file
 * does; else they end as the file's do. Where the patch does not say how the file ends, it ends as before.
 */
export function applyHunks(
  path: string,
  file: TextFile,
  hunks: readonly Hunk[],
  { locate = locateHunk, exact = false }: ApplyOptions = {},
): TextFile {
  // A patch that shows the byte order mark says what becomes of it; one that does not leaves it alone.
  if (file.bom && hunks.some((hunk) => hunk.lines.some((line) => line.text.startsWith(byteOrderMark)))) {
    const whole = { ...file, bom: false, text: byteOrderMark + file.text };
    return applyHunks(path, whole, hunks, { locate, exact });
  }
  const ending = lineEndingOf(file.text) === '\r\n' ? '\r' : '';
  const raw = file.text === '' ? [] : file.text.split('\n');
  let finalNewline = raw.at(-1) === '' || raw.length === 0;
  if (raw.at(-1) === '') raw.pop();
  const searched = searchedLines(path, file.text.includes('\r') ? raw.map(withoutReturn) : raw);
  /** The index of a last line without newline, none if there is one. */
  const open = finalNewline ? -1 : raw.length - 1;

  const result: string[] = [];
  /** The last line of the result is one whose ending we chose. */
  let chosen = false;
  let openInResult = -1;
  let taken = 0;
  let shift = 0;
  const keepUntil = (end: number): void => {
    for (; taken < end && taken < raw.length; taken += 1) {
      if (taken === open) openInResult = result.length;
      result.push(raw[taken] ?? '');
      chosen = false;
    }
    taken = end;
  };
  for (const [index, hunk] of hunks.entries()) {
    const position = { from: taken, shift, number: index + 1, count: hunks.length };
    const found = locate(path, searched, hunk, position);
    keepUntil(found.place);
    const asIs = exact || fitsExactly(raw, found.place, found.lines, open);
    for (const line of found.lines) {
      if (line.mark === '+') {
        result.push(asIs ? line.text : withoutReturn(line.text) + ending);
        chosen = !asIs;
      } else if (line.mark === ' ') keepUntil(taken + 1);
      else taken += 1;
    }
    shift = found.shift;
    // One that says how the file ends is only ever placed at its end.
    if (hunk.finalNewline !== null) finalNewline = hunk.finalNewline;
  }
  keepUntil(raw.length);
  if (result.length === 0) return { ...file, text: '' };
  const last = result.length - 1;
  const unended = result[openInResult];
  // A line that had no newline before and has one now gets the file's, carriage return and all.
  if (unended !== undefined && (finalNewline || openInResult < last) && !unended.endsWith('\r'))
    result[openInResult] = unended + ending;
  if (chosen && !finalNewline) result[last] = withoutReturn(result[last] ?? '');
  return { ...file, text: result.join('\n') + (finalNewline ? '\n' : '') };
}

/** True when old lines of the hunk stand there with their very line endings, and at least one has an ending. */
function fitsExactly(
  raw: readonly string[],
  place: number,
  lines: readonly HunkLine[],
  open: number,
): boolean {
  const old = lines.filter((line) => line.mark !== '+');
  if (old.length === 0 || (old.length === 1 && place === open)) return false;
  return old.every((line, offset) => raw[place + offset] === line.text);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
