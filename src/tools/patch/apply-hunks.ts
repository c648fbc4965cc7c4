import type { TextFile } from '../text/text-file.ts';
import { lineEndingOf } from '../text/text-file.ts';
import type { Hunk, HunkLine, LocateHunk } from './file-patch.ts';
import { locateHunk } from './locate-hunk.ts';
import { searchedLines } from './searched-lines.ts';

/** Options for applying hunks. */
export interface ApplyOptions {
  /** Finds the location of a hunk. Default: `locateHunk`, which is lenient with models. */
  readonly locate?: LocateHunk | undefined;
  /** True if the patch was made from this very content, so that its line endings are exact. */
  readonly exact?: boolean;
}

const byteOrderMark = '\ufeff';

/**
 * Applies all hunks of a patch to a file, or throws a `ToolError` and changes nothing. Unchanged
 * lines stay as the file has them. Added lines are taken byte for byte if the lines around them
 * match byte for byte; otherwise they get the file's endings. The end of the file is preserved
 * unless the patch specifies it.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass, clearer whole.
export function applyHunks(
  path: string,
  file: TextFile,
  hunks: readonly Hunk[],
  { locate = locateHunk, exact = false }: ApplyOptions = {},
): TextFile {
  // A patch with the byte order mark decides about it; any other leaves it alone.
  if (file.bom && hunks.some((hunk) => hunk.lines.some((line) => line.text.startsWith(byteOrderMark)))) {
    const whole = { ...file, bom: false, text: byteOrderMark + file.text };
    return applyHunks(path, whole, hunks, { locate, exact });
  }
  const ending = lineEndingOf(file.text) === '\r\n' ? '\r' : '';
  const raw = file.text === '' ? [] : file.text.split('\n');
  let finalNewline = raw.at(-1) === '' || raw.length === 0;
  if (raw.at(-1) === '') raw.pop();
  const searched = searchedLines(path, file.text.includes('\r') ? raw.map(withoutReturn) : raw);
  /** Index of a last line without newline; -1 if there is none. */
  const open = finalNewline ? -1 : raw.length - 1;

  const result: string[] = [];
  /** True if the ending of the result's last line is our choice. */
  let chosen = false;
  let openInResult = -1;
  let taken = 0;
  let shift = 0;
  const copyUntil = (end: number): void => {
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
    copyUntil(found.place);
    const asIs = exact || fitsExactly(raw, found.place, found.lines, open);
    for (const line of found.lines) {
      if (line.mark === '+') {
        result.push(asIs ? line.text : withoutReturn(line.text) + ending);
        chosen = !asIs;
      } else if (line.mark === ' ') copyUntil(taken + 1);
      else taken += 1;
    }
    shift = found.shift;
    // A hunk that specifies the end of the file is only placed there.
    if (hunk.finalNewline !== null) finalNewline = hunk.finalNewline;
  }
  copyUntil(raw.length);
  if (result.length === 0) return { ...file, text: '' };
  const last = result.length - 1;
  const unended = result[openInResult];
  // A line that gains a newline gets the file's, with its carriage return.
  if (unended !== undefined && (finalNewline || openInResult < last) && !unended.endsWith('\r'))
    result[openInResult] = unended + ending;
  if (chosen && !finalNewline) result[last] = withoutReturn(result[last] ?? '');
  return { ...file, text: result.join('\n') + (finalNewline ? '\n' : '') };
}

/** True if the hunk's old lines match with their exact endings, and at least one has an ending. */
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
