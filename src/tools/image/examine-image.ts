import { examineGif } from './examine-gif.ts';
import { examineJpeg } from './examine-jpeg.ts';
import { examinePng } from './examine-png.ts';
import { examineWebp } from './examine-webp.ts';
import type { Examined } from './image-facts.ts';

/** Facts of a supported image, a problem with one, or the actual kind of the file. */
export type ExaminedFile =
  | Examined
  | { readonly otherKind: 'an SVG drawing' | 'a Git LFS pointer' | (string & {}); readonly isText: boolean };

/**
 * Identifies an image by its bytes, never by its name: PNG, JPEG, GIF and WebP. Each is walked to
 * its end, because providers refuse a whole request for one damaged image. Pixels are not unpacked.
 * Never throws.
 */
export function examineImage(bytes: Buffer): ExaminedFile {
  const at = (offset: number, text: string) =>
    bytes.toString('latin1', offset, offset + text.length) === text;
  if (at(0, '\x89PNG\r\n\x1a\n')) return examinePng(bytes);
  if (at(0, '\xff\xd8\xff')) return examineJpeg(bytes);
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return examineGif(bytes);
  if (at(0, 'RIFF') && at(8, 'WEBP')) return examineWebp(bytes);
  return textKind(bytes) ?? { otherKind: binaryKind(at), isText: false };
}

function textKind(bytes: Buffer): ExaminedFile | null {
  const text = headAsText(bytes.subarray(0, 4096));
  if (text === null) return null;
  if (/<svg[\s/>]/i.test(text)) return { otherKind: 'an SVG drawing', isText: true };
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    return { otherKind: 'a Git LFS pointer', isText: true };
  }
  return { otherKind: bytes.length === 0 ? 'empty' : 'a text file', isText: true };
}

function headAsText(head: Buffer): string | null {
  if (head.includes(0)) return null;
  try {
    // Decodes as a stream, because the cut may lie within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

function binaryKind(at: (offset: number, text: string) => boolean): string {
  if (at(0, 'BM')) return 'a BMP image';
  if (at(0, 'II*\0') || at(0, 'MM\0*')) return 'a TIFF image';
  if (at(0, '\0\0\x01\0')) return 'an icon file';
  if (at(0, '%PDF')) return 'a PDF document';
  if (at(4, 'ftypavif')) return 'an AVIF image';
  if (at(4, 'ftyphei') || at(4, 'ftypmif1')) return 'a HEIF image';
  return 'a file of no known image format';
}
