import { type Examined, endsTooEarly } from './image-facts.ts';

const riffHeader = 12;
const chunkHeader = 8;

/** Walks the chunks of a WebP file (RFC 9649) to the length in its header. */
export function examineWebp(bytes: Buffer): Examined {
  const end = chunkHeader + bytes.readUInt32LE(4);
  if (end > bytes.length) return endsTooEarly;
  let canvas: { width: number; height: number } | null = null;
  let picture: { width: number; height: number } | null = null;
  let frames = 0;
  for (let at = riffHeader; at + chunkHeader <= end; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + chunkHeader, at + chunkHeader + length);
    if (at + chunkHeader + length > end) return endsTooEarly;
    if (kind === 'VP8X' && length >= 10) {
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    }
    if (kind === 'VP8 ' && length >= 10) {
      if (data.readUIntBE(3, 3) !== 0x9d012a) return { problem: 'has a damaged part (no key frame)' };
      picture = { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
    }
    if (kind === 'VP8L' && length >= 5) {
      if (data[0] !== 0x2f) return { problem: 'has a damaged part (no lossless signature)' };
      const bits = data.readUInt32LE(1);
      picture = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    if (kind === 'ANMF') frames += 1;
    // Chunks are padded to an even length.
    at += chunkHeader + length + (length % 2);
  }
  const size = canvas ?? picture;
  if (size === null || (picture === null && frames === 0)) return { problem: 'holds no pixels' };
  return { mediaType: 'image/webp', ...size, animated: frames > 1 };
}
