import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';

const byteOrderMark = '\ufeff';

/**
 * A text file taken apart so that an edit leaves alone what it does not mean: the byte order mark stands
 * apart, and a file that is not valid UTF-8 is held byte for byte (latin1).
 */
export interface TextFile {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
  readonly bom: boolean;
}

/** True where a file holds a NUL byte in its first 8,000 bytes, which is how git tells. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Bytes as text: UTF-8 where they are that, else Latin-1, in which every byte is a character. */
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
 * The bytes of an edited file, in the encoding it had. Throws `ToolError('invalid_input')` when the new
 * text does not fit a file that is not UTF-8, or has half of a character.
 */
export function encodeTextFile(path: string, file: TextFile): Buffer {
  if (!file.text.isWellFormed()) {
    throw new ToolError(
      'invalid_input',
      `The change would leave half of a character (a lone surrogate) in ${path}. Give whole characters.`,
    );
  }
  if (file.encoding === 'utf8') return Buffer.from((file.bom ? byteOrderMark : '') + file.text, 'utf8');
  const bytes = Buffer.from(file.text, 'latin1');
  if (bytes.toString('latin1') !== file.text) {
    throw new ToolError(
      'invalid_input',
      `${path} is not UTF-8 (probably Latin-1), and the new text has characters it cannot hold. Convert the file first, or keep to Latin-1.`,
    );
  }
  return bytes;
}

/** The line ending most lines have; `\n` where there is none. */
export function lineEndingOf(text: string): '\n' | '\r\n' {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf += 1;
    else lf += 1;
  }
  return crlf > lf ? '\r\n' : '\n';
}

/** Text with every line ending as given. */
export function withLineEndings(text: string, ending: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return ending === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** Lines without their endings; a final newline makes no empty line of its own. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const split = text.split('\n');
  // One look for what most files have nowhere costs less than one at the end of every line.
  const lines = text.includes('\r')
    ? split.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    : split;
  if (text.endsWith('\n')) lines.pop();
  return lines;
}
