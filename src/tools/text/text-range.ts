import { invalidInput } from '../../contract/errors.ts';

/**
 * A part of a text as the model may specify it: by lines (from 1) or characters (from 0), with a
 * maximum.
 */
export interface TextRangeInput {
  readonly start_line?: number | undefined;
  readonly line_count?: number | undefined;
  readonly start_char?: number | undefined;
  readonly max_chars: number;
}

/** A part of a text, a note on its end, and its data. Characters are UTF-16 units. */
export interface TextRange {
  readonly text: string;
  /** Empty for an entire text. */
  readonly note: string;
  readonly data: { readonly start_char: number; readonly end_char: number; readonly total_chars: number };
}

/**
 * Extracts a part of a text. If cut at `max_chars`, the note says where to continue. Throws
 * `ToolError('invalid_input')` for a start past the end.
 */
export function textRange(name: string, text: string, requested: TextRangeInput): TextRange {
  const byLine = requested.start_line !== undefined || requested.line_count !== undefined;
  const start = byLine ? lineStart(text, requested.start_line ?? 1) : (requested.start_char ?? 0);
  if (start === null || start > text.length) {
    const has = byLine ? `${text.split('\n').length} lines` : `${text.length} characters`;
    throw invalidInput(`${name} has only ${has}; the start lies past its end.`);
  }
  const wanted =
    requested.line_count === undefined
      ? text.length
      : (lineStart(text, lineAt(text, start) + requested.line_count) ?? text.length);
  const end = wholePair(text, Math.min(wanted, start + requested.max_chars));
  const data = { start_char: start, end_char: end, total_chars: text.length };
  const cut = end < wanted;
  const more = cut ? `; cut by max_chars, continue with start_char ${end}` : '';
  const note =
    start === 0 && end === text.length ? '' : `\n[characters ${start}-${end} of ${text.length}${more}]`;
  return { text: text.slice(start, end), note, data };
}

/** Returns the offset of a line; null past the end. */
function lineStart(text: string, line: number): number | null {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const next = text.indexOf('\n', at);
    if (next === -1) return null;
    at = next + 1;
  }
  return at;
}

/** Extends an end that would cut a surrogate pair. */
function wholePair(text: string, end: number): number {
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end;
}

/** Returns the line number, from 1, of an offset in UTF-16 units. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
