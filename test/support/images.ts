import { crc32, deflateSync } from 'node:zlib';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A whole PNG in grey; `padding` bytes of a private chunk make it larger. */
export function png({ width, height }: Size, padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(padding === 0 ? [] : [pngChunk('paDd', Buffer.alloc(padding, 7))]),
    pngChunk('IDAT', deflateSync(Buffer.alloc(Math.min(width + 1, 100_000) * Math.min(height, 100)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One chunk with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The segments of a JPEG as a camera writes them, a thumbnail with an end of its own among them. */
export function jpeg({ width, height }: Size): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 0xff, 0xd9])),
    segment(0xc4, Buffer.alloc(20)),
    Buffer.from([0xff]),
    segment(0xc2, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd9]),
  ]);
}

function segment(code: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, code, 0, data.length + 2]), data]);
}

/** A GIF with a colour table, a comment, and that many pictures. */
export function gif({ width, height }: Size, pictures = 1): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const picture = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([
    header,
    Buffer.alloc(6),
    Buffer.from([0x21, 0xfe, 2, 0x2c, 0x3b, 0]),
    ...Array.from({ length: pictures }, () => picture),
    Buffer.from([0x3b]),
  ]);
}

/** A WebP of one of its three kinds; the extended one is animated. */
export function webp({ width, height }: Size, kind: 'lossy' | 'lossless' | 'extended'): Buffer {
  const chunks = {
    lossy: () => {
      const data = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 1]);
      data.writeUInt16LE(width, 6);
      data.writeUInt16LE(height, 8);
      return [riffChunk('VP8 ', data)];
    },
    lossless: () => {
      const data = Buffer.from([0x2f, 0, 0, 0, 0, 1]);
      data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
      return [riffChunk('VP8L', data)];
    },
    extended: () => {
      const data = Buffer.alloc(10);
      data.writeUIntLE(width - 1, 4, 3);
      data.writeUIntLE(height - 1, 7, 3);
      const frame = riffChunk('ANMF', Buffer.alloc(16));
      return [riffChunk('VP8X', data), frame, frame];
    },
  };
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks[kind]()]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function riffChunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(kind), length, data, Buffer.alloc(data.length % 2)]);
}
