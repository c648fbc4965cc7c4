import { crc32 } from 'node:zlib';
import type { ImagePart } from '../../contract/message.ts';

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

/** Introducers of blocks (GIF89a, appendix A). */
const introducer = { extension: 0x21, picture: 0x2c, trailer: 0x3b } as const;
const headerBytes = 13;

/** Walks the blocks of a GIF to its trailer. */
export function examineGif(bytes: Buffer): Examined {
  if (bytes.length < headerBytes) return endsTooEarly;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let pictures = 0;
  let at = headerBytes + colourTable(bytes.readUInt8(10));
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === introducer.trailer) {
      if (pictures === 0) return noPixels;
      return { mediaType: 'image/gif', ...size, animated: pictures > 1 };
    }
    if (kind === introducer.extension) at = afterSubBlocks(bytes, at + 2);
    else if (kind === introducer.picture) {
      pictures += 1;
      // The descriptor, its colour table, and the byte before the sub-blocks of pixels.
      at = afterSubBlocks(bytes, at + 10 + colourTable(bytes[at + 9] ?? 0) + 1);
    } else return { problem: 'has a damaged part (a block of no known kind)' };
  }
  // Old programs omit the trailer, and viewers do not need it.
  return at === bytes.length && pictures > 0
    ? { mediaType: 'image/gif', ...size, animated: pictures > 1 }
    : endsTooEarly;
}

/** Returns the bytes of the colour table that packed flags describe. */
const colourTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/**
 * Returns the offset after a sequence of sub-blocks, which an empty one ends. Beyond the end if cut
 * off.
 */
function afterSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) return bytes.length + 1;
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Markers by ITU-T T.81, table B.1. Fill bytes before one have its first value. */
const marker = { endOfImage: 0xd9, startOfScan: 0xda, startOfImage: 0xd8, fill: 0xff } as const;
const withoutLength = (code: number): boolean =>
  code === 0x01 || (code >= 0xd0 && code <= marker.startOfImage);
/** True for SOF0 to SOF15, except the three codes that mean tables. */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** Walks the segments of a JPEG to its scan, and finds the end of the image after it. */
export function examineJpeg(bytes: Buffer): Examined {
  let size: Size | null = null;
  for (let at = 2; ; ) {
    const segment = nextSegment(bytes, at);
    if ('problem' in segment) return segment;
    const { code, start, end } = segment;
    if (isFrame(code) && end - start >= 8) {
      size = { height: bytes.readUInt16BE(start + 3), width: bytes.readUInt16BE(start + 5) };
    }
    if (code === marker.startOfScan) {
      if (size === null) return { problem: 'does not tell its size' };
      // Cameras append data, so the end marker need not be last.
      const last = bytes.indexOf(Buffer.from([0xff, marker.endOfImage]), end);
      return last === -1 ? endsTooEarly : { mediaType: 'image/jpeg', ...size, animated: false };
    }
    at = end;
  }
}

/** A segment of a JPEG with the offsets of its length and its end. */
interface Segment {
  readonly code: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the first segment with a length from an offset on. */
function nextSegment(bytes: Buffer, from: number): Segment | Problem {
  for (let at = from; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff)
      return { problem: 'has a damaged part (a segment does not begin where it should)' };
    const code = bytes.readUInt8(at + 1);
    if (code !== marker.fill && !withoutLength(code)) return segmentAt(bytes, at);
    at += code === marker.fill ? 1 : 2;
  }
  return endsTooEarly;
}

function segmentAt(bytes: Buffer, at: number): Segment | Problem {
  const code = bytes.readUInt8(at + 1);
  if (code === marker.endOfImage) return noPixels;
  const length = bytes.readUInt16BE(at + 2);
  if (length < 2) return { problem: 'has a damaged part (a segment without a length)' };
  const end = at + 2 + length;
  return end > bytes.length ? endsTooEarly : { code, start: at + 2, end };
}

const signatureBytes = 8;
/** Bytes of length, type and checksum of a chunk (PNG, third edition, section 5.3). */
const chunkFrame = 12;

/** A chunk of a PNG with its offsets, and the number of bytes of its data. */
interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly length: number;
  readonly end: number;
}

/** Yields the chunks of a PNG, without one that is cut off. */
function* pngChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = signatureBytes; at + chunkFrame <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + chunkFrame + length;
    if (end > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), at, length, end };
    at = end;
  }
}

function isIntact(bytes: Buffer, { at, end }: Chunk): boolean {
  return crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4);
}

/**
 * Removes ancillary chunks (section 5.4: colour profiles, texts) with a wrong checksum, which
 * viewers ignore as well. Returns the same bytes if there are none or they are no PNG.
 */
export function withoutDamagedExtras(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const chunk of pngChunks(bytes)) {
    // A lower-case first letter marks an ancillary chunk.
    const isExtra = (chunk.type.charCodeAt(0) & 0x20) !== 0;
    if (!isExtra || isIntact(bytes, chunk)) continue;
    if (chunk.at > from) parts.push(bytes.subarray(from, chunk.at));
    from = chunk.end;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

/** Walks the chunks of a PNG to its end and verifies each checksum. Pixels are not unpacked. */
export function examinePng(bytes: Buffer): Examined {
  let pixels = false;
  let animated = false;
  for (const chunk of pngChunks(bytes)) {
    const { type, at, length } = chunk;
    const problem = chunkProblem(bytes, chunk);
    if (problem !== null) return problem;
    if (type === 'IDAT' && length > 0) pixels = true;
    if (type === 'acTL' && length === 8) animated = bytes.readUInt32BE(at + 8) > 1;
    if (type === 'IEND') return pixels ? { mediaType: 'image/png', ...pngSize(bytes), animated } : noPixels;
  }
  return endsTooEarly;
}

function chunkProblem(bytes: Buffer, chunk: Chunk): Problem | null {
  const { type, at, length } = chunk;
  if (!isIntact(bytes, chunk))
    return { problem: `has a damaged part (the checksum of ${JSON.stringify(type)} is wrong)` };
  if (at > signatureBytes || (type === 'IHDR' && length === 13)) return null;
  return { problem: 'does not begin with its size' };
}

/** Reads the first chunk, which has 13 bytes. */
function pngSize(bytes: Buffer): Size {
  const data = signatureBytes + 8;
  return { width: bytes.readUInt32BE(data), height: bytes.readUInt32BE(data + 4) };
}

const riffHeader = 12;
const chunkHeader = 8;

/** Walks the chunks of a WebP file (RFC 9649) to the length in its header. */
export function examineWebp(bytes: Buffer): Examined {
  const end = chunkHeader + bytes.readUInt32LE(4);
  if (end > bytes.length) return endsTooEarly;
  let sizes: WebpSizes = {};
  let frames = 0;
  for (let at = riffHeader; at + chunkHeader <= end; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + chunkHeader + length > end) return endsTooEarly;
    const found = webpSize(kind, bytes.subarray(at + chunkHeader, at + chunkHeader + length));
    if ('problem' in found) return found;
    sizes = { ...sizes, ...found };
    if (kind === 'ANMF') frames += 1;
    // Chunks are padded to an even length.
    at += chunkHeader + length + (length % 2);
  }
  const size = sizes.canvas ?? sizes.picture;
  if (size === undefined || (sizes.picture === undefined && frames === 0)) return noPixels;
  return { mediaType: 'image/webp', ...size, animated: frames > 1 };
}

interface WebpSizes {
  readonly canvas?: Size;
  readonly picture?: Size;
}

/** Reads the size in a chunk; empty for chunks that hold neither a canvas nor a picture. */
function webpSize(kind: string, data: Buffer): WebpSizes | Problem {
  if (kind === 'VP8X' && data.length >= 10) {
    return { canvas: { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 } };
  }
  if (kind === 'VP8 ' && data.length >= 10) {
    if (data.readUIntBE(3, 3) !== 0x9d012a) return { problem: 'has a damaged part (no key frame)' };
    return { picture: { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } };
  }
  if (kind === 'VP8L' && data.length >= 5) {
    if (data[0] !== 0x2f) return { problem: 'has a damaged part (no lossless signature)' };
    const bits = data.readUInt32LE(1);
    return { picture: { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } };
  }
  return {};
}

/** The width and height of an image in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Facts from an image's own bytes. */
export interface ImageFacts extends Size {
  readonly mediaType: ImagePart['media_type'];
  /** True for several frames: models see only the first, or refuse the image. */
  readonly animated: boolean;
}

/** The facts, or the problem with the bytes: `ends too early`, `has a damaged part (IDAT)`. */
export type Examined = ImageFacts | Problem;

interface Problem {
  readonly problem: string;
}

const noPixels: Problem = { problem: 'holds no pixels' };

/** The problem of a truncated image. */
export const endsTooEarly = { problem: 'ends before the image does: it was cut off' } as const;
