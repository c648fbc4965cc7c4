import { type Examined, endsTooEarly } from './image-facts.ts';

/** Markers by ITU-T T.81, table B.1. */
const marker = { endOfImage: 0xd9, startOfScan: 0xda, startOfImage: 0xd8 } as const;
const withoutLength = (code: number): boolean =>
  code === 0x01 || (code >= 0xd0 && code <= marker.startOfImage);
/** True for SOF0 to SOF15, except the three codes that mean tables. */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** Walks the segments of a JPEG to its scan, and finds the end of the image after it. */
export function examineJpeg(bytes: Buffer): Examined {
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff)
      return { problem: 'has a damaged part (a segment does not begin where it should)' };
    const code = bytes.readUInt8(at + 1);
    // Any number of fill bytes may precede a marker.
    if (code === 0xff) {
      at += 1;
      continue;
    }
    if (withoutLength(code)) {
      at += 2;
      continue;
    }
    if (code === marker.endOfImage) return { problem: 'holds no pixels' };
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return { problem: 'has a damaged part (a segment without a length)' };
    if (at + 2 + length > bytes.length) return endsTooEarly;
    if (isFrame(code) && length >= 8) {
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (code === marker.startOfScan) {
      if (size === null) return { problem: 'does not tell its size' };
      // Cameras append data, so the end marker need not be last.
      const end = bytes.indexOf(Buffer.from([0xff, marker.endOfImage]), at + 2 + length);
      return end === -1 ? endsTooEarly : { mediaType: 'image/jpeg', ...size, animated: false };
    }
    at += 2 + length;
  }
  return endsTooEarly;
}
