import { ToolError } from '../../contract/errors.ts';
import { splitLines, withLineEndings } from '../text/text-file.ts';
import { endingAt } from './line-endings.ts';

/** A text with inserted lines: the number of the first new line (from 1), and their count. */
export interface InsertedLines {
  readonly text: string;
  readonly firstLine: number;
  readonly count: number;
}

/**
 * Inserts whole lines after line `after`: 0 is before the first, -1 at the end. They get the line
 * endings around them. The file keeps its final newline or its absence; an empty file gets one.
 * Throws `ToolError('invalid_input')` for a line past the end.
 */
export function insertLines(path: string, file: string, after: number, inserted: string): InsertedLines {
  const total = splitLines(file).length;
  const place = after === -1 ? total : after;
  if (place > total) {
    throw new ToolError(
      'invalid_input',
      `${path} has ${total} line${total === 1 ? '' : 's'}; line ${after} is past its end. Give 0 to ${total}, or -1 for the end.`,
    );
  }
  const lines = withLineEndings(inserted, '\n').replace(/\n$/, '').split('\n');
  const at = offsetOfLine(file, place);
  const ending = `${endingAt(file, place === 0 ? 0 : at - 1, at)}\n`;
  const block = lines.join(ending);
  const openEnd = at === file.length && file !== '' && !file.endsWith('\n');
  const text = openEnd ? file + ending + block : file.slice(0, at) + block + ending + file.slice(at);
  return { text, firstLine: place + 1, count: lines.length };
}

/** Returns the offset after line `line` (from 1); the text's length after the last. */
function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}
