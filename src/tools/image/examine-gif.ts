import { type Examined, endsTooEarly } from './image-facts.ts';

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
      if (pictures === 0) return { problem: 'holds no pixels' };
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
