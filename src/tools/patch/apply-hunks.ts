import type { TextFile } from '../text/text-file.ts';
import { lineEndingOf } from '../text/text-file.ts';
import type { Hunk, HunkLine, HunkLocation, LocateHunk } from './file-patch.ts';
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
export function applyHunks(
  path: string,
  file: TextFile,
  hunks: readonly Hunk[],
  options: ApplyOptions = {},
): TextFile {
  // A patch with the byte order mark decides about it; any other leaves it alone.
  const hasMark = hunks.some((hunk) => hunk.lines.some((line) => line.text.startsWith(byteOrderMark)));
  const text = file.bom && hasMark ? byteOrderMark + file.text : file.text;
  return { ...file, bom: file.bom && !hasMark, text: patchedText(path, text, hunks, options) };
}

function patchedText(
  path: string,
  text: string,
  hunks: readonly Hunk[],
  { locate = locateHunk, exact = false }: ApplyOptions,
): string {
  const raw = text.split('\n');
  const ended = raw.at(-1) === '';
  if (ended) raw.pop();
  const located = locateAll(path, raw, hunks, locate);
  const ending = lineEndingOf(text) === '\r\n' ? '\r' : '';
  const { lines, unended } = changedLines({ raw, ended, ending }, located, exact);
  if (lines.length === 0) return '';
  // A hunk that specifies the end of the file is only placed there.
  const newline = hunks.findLast((hunk) => hunk.finalNewline !== null)?.finalNewline ?? ended;
  return newline ? `${lines.join('\n')}\n` : lines.with(-1, unended).join('\n');
}

function locateAll(
  path: string,
  raw: readonly string[],
  hunks: readonly Hunk[],
  locate: LocateHunk,
): HunkLocation[] {
  const searched = searchedLines(path, raw.map(withoutReturn));
  let from = 0;
  let shift = 0;
  return hunks.map((hunk, index) => {
    const found = locate(path, searched, hunk, { from, shift, number: index + 1, count: hunks.length });
    from = found.place + found.lines.filter((line) => line.mark !== '+').length;
    shift = found.shift;
    return found;
  });
}

/** The lines of a file with their carriage returns. */
interface RawLines {
  readonly raw: readonly string[];
  /** True if the last line has a newline. */
  readonly ended: boolean;
  /** The character before the file's newlines, if any. */
  readonly ending: '\r' | '';
}

/** Returns the lines after a change, and the last one as it is without newline. */
function changedLines(
  { raw, ended, ending }: RawLines,
  located: readonly HunkLocation[],
  exact: boolean,
): { lines: string[]; unended: string } {
  const open = ended ? -1 : raw.length - 1;
  const lines: string[] = [];
  let unended = '';
  let taken = 0;
  const put = (line: string, bare = line): void => {
    lines.push(line);
    unended = bare;
  };
  const copyUntil = (end: number): void => {
    for (; taken < end; taken += 1) {
      const line = raw[taken] ?? '';
      put(taken === open ? withReturn(line, ending) : line, line);
    }
  };
  for (const { place, lines: changes } of located) {
    copyUntil(place);
    const asIs = exact || fitsExactly(raw, place, changes, open);
    for (const { mark, text } of changes) {
      if (mark === ' ') copyUntil(taken + 1);
      else if (mark === '-') taken += 1;
      else if (asIs) put(text);
      else put(withoutReturn(text) + ending, withoutReturn(text));
    }
  }
  copyUntil(raw.length);
  return { lines, unended };
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

function withReturn(line: string, ending: string): string {
  return line.endsWith('\r') ? line : line + ending;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
