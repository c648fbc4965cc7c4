import { isUtf8 } from 'node:buffer';
import { isBinary, withLineEndings } from '../text/text-file.ts';

/** The bytes of an overwritten file, and a note such as `, CRLF line endings kept`. */
export interface Overwritten {
  readonly content: Buffer;
  readonly kept: string;
}

/**
 * Returns the new content of an existing file. Models see a file without its byte order mark and
 * carriage returns. So the mark is preserved, and CRLF endings if all lines have them and the text
 * has none of its own.
 */
export function overwritten(before: Buffer, text: string): Overwritten {
  if (isBinary(before) || !isUtf8(before)) return { content: Buffer.from(text), kept: '' };
  const old = before.toString('utf8');
  const mark = old.startsWith('\ufeff') && !text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = old.split('\n').slice(0, -1);
  const crlf = lines.length > 0 && lines.every((line) => line.endsWith('\r'));
  const converts = crlf && text.includes('\n') && !text.includes('\r');
  return {
    content: Buffer.from(mark + (converts ? withLineEndings(text, '\r\n') : text)),
    kept: (mark === '' ? '' : ', byte order mark kept') + (converts ? ', CRLF line endings kept' : ''),
  };
}
