import { isUtf8 } from 'node:buffer';
import { isBinary, withLineEndings } from '../text/text-file.ts';

/** The bytes of a file that is written anew, and what it keeps of the old one, in words (`, CRLF line endings kept`). */
export interface Overwritten {
  readonly content: Buffer;
  readonly kept: string;
}

/**
 * The whole new text of an existing file. A file is shown without its byte order mark and carriage returns, so
 * that whoever writes it anew cannot know of them: the mark stays, and so do the line endings of a file in which
 * all are CRLF, unless the text has any of its own.
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
