import { isUtf8 } from 'node:buffer';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';

const byteOrderMark = '\ufeff';

/**
 * A decoded text file, so that an edit preserves the rest. The byte order mark is separate, and
 * invalid UTF-8 is held byte for byte (latin1).
 */
export interface TextFile {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
  readonly bom: boolean;
}

/** Decodes bytes as UTF-8 if valid, else as Latin-1, which accepts every byte. */
export function decodeText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Decodes a file for editing. Throws `ToolError('binary')` for a binary one. */
export function decodeTextFile(path: string, bytes: Buffer): TextFile {
  if (isBinary(bytes)) {
    throw new ToolError('binary', `${path} is a binary file; it cannot be edited as text.`);
  }
  const text = decodeText(bytes);
  if (!isUtf8(bytes)) return { text, encoding: 'latin1', bom: false };
  const bom = text.startsWith(byteOrderMark);
  return { text: bom ? text.slice(1) : text, encoding: 'utf8', bom };
}

/**
 * Encodes an edited file in its encoding. Throws `ToolError('invalid_input')` if the new text does
 * not fit a file that is not UTF-8, or contains half a character.
 */
export function encodeTextFile(path: string, file: TextFile): Buffer {
  if (!file.text.isWellFormed()) {
    throw invalidInput(
      `The change would leave half of a character (a lone surrogate) in ${path}. Give whole characters.`,
    );
  }
  if (file.encoding === 'utf8') return Buffer.from((file.bom ? byteOrderMark : '') + file.text, 'utf8');
  const bytes = Buffer.from(file.text, 'latin1');
  if (bytes.toString('latin1') !== file.text) {
    throw invalidInput(
      `${path} is not UTF-8 (probably Latin-1), and the new text has characters it cannot hold. Convert the file first, or keep to Latin-1.`,
    );
  }
  return bytes;
}

/** Returns the line ending of most lines; `\n` without any. */
export function lineEndingOf(text: string): '\n' | '\r\n' {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf += 1;
    else lf += 1;
  }
  return crlf > lf ? '\r\n' : '\n';
}

/** Converts every line ending. */
export function withLineEndings(text: string, ending: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return ending === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** Splits into lines without their endings; a final newline adds no empty line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const split = text.split('\n');
  // One search of the whole text is cheaper than a check of every line.
  const lines = text.includes('\r')
    ? split.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    : split;
  if (text.endsWith('\n')) lines.pop();
  return lines;
}
