import { ToolError } from '../../contract/errors.ts';
import type { StorageSpace } from '../../workspace/storage/run-storage.ts';

/** A part of a file by characters (UTF-16 units), with its data. */
export interface CharacterSlice {
  readonly text: string;
  readonly data: {
    readonly path: string;
    readonly start_char: number;
    readonly end_char: number;
    readonly total_chars: number;
  };
}

/**
 * Reads up to `count` characters from `start` (from 0) of a text file, as numbered lines; the first
 * may begin in the middle. Throws `ToolError('invalid_input')` for a start past the end.
 */
export async function readCharacters(
  { files, memory }: StorageSpace,
  path: string,
  start: number,
  count: number,
): Promise<CharacterSlice> {
  const { bytes } = await files.read(path);
  memory.saw(path, bytes);
  const text = bytes.toString('utf8');
  if (start > text.length) {
    throw new ToolError(
      'invalid_input',
      `${path} has only ${text.length} characters; start_char ${start} is past its end.`,
    );
  }
  const end = wholePair(text, Math.min(start + count, text.length));
  const first = text.slice(0, start).split('\n').length;
  const lines = text.slice(start, end).replace(/\n$/, '').split('\n');
  const numbered = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  const data = { path, start_char: start, end_char: end, total_chars: text.length };
  if (text === '') return { text: '(the file is empty)', data };
  const more = end < text.length ? `; continue with start_char ${end}` : '';
  const note = start === 0 && more === '' ? '' : `\n[characters ${start}-${end} of ${text.length}${more}]`;
  return { text: numbered + note, data };
}

/** Extends an end that would cut a surrogate pair. */
function wholePair(text: string, end: number): number {
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : end;
}
