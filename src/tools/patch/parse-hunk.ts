import { ToolError } from '../../contract/errors.ts';
import type { Hunk, HunkLine } from './file-patch.ts';

export interface PatchCursor {
  readonly lines: readonly string[];
  at: number;
}

/** Creates the error for the line at an index of a patch. `message` is a clause. */
export function patchError(at: number, message: string): ToolError {
  return new ToolError('invalid_patch', `Patch line ${at + 1}: ${message}.`);
}

/** True for a line that opens a hunk; models omit the numbers. */
export function isHunkHeader(line: string): boolean {
  return /^@@(?:\s|$)/.test(line);
}

const numbers = /^@@ -(?<oldStart>\d+)(?:,(?<oldCount>\d+))? \+\d+(?:,(?<newCount>\d+))? @@/;

interface Body {
  readonly lines: HunkLine[];
  oldNewline: boolean;
  newNewline: boolean;
  oldLeft: number;
  newLeft: number;
  /** Index of the next line that is not empty, from the last empty line checked. */
  goesOnAt: number;
}

/**
 * Parses one hunk with its header. The counts in the header determine its end, so that a removed
 * line `-- x` is not taken for a file header. If they are wrong or missing, as models write them,
 * the lines determine it; every unchanged line is verified against the file anyway.
 */
export function parseHunk(cursor: PatchCursor): Hunk {
  const label = cursor.lines[cursor.at] ?? '';
  const header = numbers.exec(label)?.groups;
  if (header === undefined && /^@@ -/.test(label)) {
    throw patchError(cursor.at, `"${label}" is no hunk header; it should look like @@ -12,3 +12,4 @@`);
  }
  cursor.at += 1;
  const body: Body = {
    lines: [],
    oldNewline: true,
    newNewline: true,
    oldLeft: header === undefined ? 0 : Number(header.oldCount ?? 1),
    newLeft: header === undefined ? 0 : Number(header.newCount ?? 1),
    goesOnAt: 0,
  };
  while (cursor.at < cursor.lines.length && takeLine(cursor, body)) cursor.at += 1;
  if (body.lines.length === 0) {
    throw patchError(cursor.at - 1, `the hunk "${label}" has no lines`);
  }
  const ended = !body.oldNewline || !body.newNewline;
  const fileLine = header?.oldStart === undefined ? null : Number(header.oldStart);
  return {
    label,
    lines: body.lines,
    line: fileLine,
    locators: [],
    atEnd: ended,
    finalNewline: ended ? body.newNewline : null,
  };
}

/** Adds the line at the cursor to the hunk. False if the hunk ends before it. */
function takeLine(cursor: PatchCursor, body: Body): boolean {
  const line = cursor.lines[cursor.at] ?? '';
  const counted = body.oldLeft > 0 || body.newLeft > 0;
  if (line.startsWith('\\')) {
    takeNoNewline(body);
    return true;
  }
  if (line === '' || line === '\r') {
    // An empty context line of an editor or a model, but not the end of the text.
    if (!counted && !hunkGoesOn(cursor, body)) return false;
    if (cursor.at === cursor.lines.length - 1) return false;
    push(body, { mark: ' ', text: line });
    return true;
  }
  const mark = hunkMark(line);
  if (mark === null || startsFile(cursor, body)) return false;
  if (!counted && (line === '-- ' || line === '--')) return false;
  push(body, { mark, text: line.slice(1) });
  return true;
}

/** Takes "\\ No newline at end of file", which is about the line before it. */
function takeNoNewline(body: Body): void {
  const { mark } = body.lines.at(-1) ?? { mark: ' ' };
  if (mark !== '+') body.oldNewline = false;
  if (mark !== '-') body.newNewline = false;
}

/** Returns the mark of a hunk's line; null for any other line. */
export function hunkMark([mark]: string): HunkLine['mark'] | null {
  return mark === ' ' || mark === '-' || mark === '+' ? mark : null;
}

function push(body: Body, line: HunkLine): void {
  body.lines.push(line);
  if (line.mark !== '+') body.oldLeft -= 1;
  if (line.mark !== '-') body.newLeft -= 1;
}

/**
 * True for `--- x`, `+++ y` of the next file. Before the counts are used up, only if they are
 * wrong, which a hunk right after it shows.
 */
function startsFile(cursor: PatchCursor, { oldLeft, newLeft }: Body): boolean {
  const [first = '', second = '', third = ''] = cursor.lines.slice(cursor.at, cursor.at + 3);
  if (!first.startsWith('--- ') || !second.startsWith('+++ ')) return false;
  if (oldLeft <= 0 && newLeft <= 0) return true;
  return isHunkHeader(third) && !(oldLeft === 1 && newLeft === 1);
}

function hunkGoesOn({ lines, at }: PatchCursor, body: Body): boolean {
  body.goesOnAt = Math.max(body.goesOnAt, at);
  while (lines[body.goesOnAt] === '' || lines[body.goesOnAt] === '\r') body.goesOnAt += 1;
  const next = lines[body.goesOnAt];
  return next !== undefined && /^[ +-]/.test(next) && !/^--(?:-? |$)/.test(next);
}
