import { crc32 } from 'node:zlib';
import { type Examined, endsTooEarly } from './image-facts.ts';

const signatureBytes = 8;
/** Bytes of length, type and checksum of a chunk (PNG, third edition, section 5.3). */
const chunkFrame = 12;

/**
 * Removes ancillary chunks (section 5.4: colour profiles, texts) with a wrong checksum, which
 * viewers ignore as well. Returns the same bytes if there are none or they are no PNG.
 */
export function withoutDamagedExtras(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = signatureBytes; at + chunkFrame <= bytes.length; ) {
    const end = at + chunkFrame + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    // A lower-case first letter marks an ancillary chunk.
    const isExtra = (bytes.readUInt8(at + 4) & 0x20) !== 0;
    if (isExtra && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      if (at > from) kept.push(bytes.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
}

/** Walks the chunks of a PNG to its end and verifies each checksum. Pixels are not unpacked. */
export function examinePng(bytes: Buffer): Examined {
  let size: { width: number; height: number } | null = null;
  let pixels = false;
  let animated = false;
  for (let at = signatureBytes; at + chunkFrame <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + chunkFrame + length;
    if (end > bytes.length) return endsTooEarly;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      return { problem: `has a damaged part (the checksum of ${JSON.stringify(type)} is wrong)` };
    }
    if (size === null) {
      if (type !== 'IHDR' || length !== 13) return { problem: 'does not begin with its size' };
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT' && length > 0) pixels = true;
    if (type === 'acTL' && length === 8) animated = bytes.readUInt32BE(at + 8) > 1;
    if (type === 'IEND') {
      return pixels ? { mediaType: 'image/png', ...size, animated } : { problem: 'holds no pixels' };
    }
    at = end;
  }
  return endsTooEarly;
}
