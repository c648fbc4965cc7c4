import { expect, test } from 'vitest';
import { examineWebp } from '../../../src/tools/image/examine-image.ts';

const early = { problem: 'ends before the image does: it was cut off' };
const none = { problem: 'holds no pixels' };
const image = (width: number, height: number, animated = false) => ({
  ...{ mediaType: 'image/webp', width, height, animated },
});

function chunk(kind: string, ...data: number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(data), Buffer.alloc(data.length % 2)]);
}
/** A file of these chunks, whose header states `change` more bytes than there are. */
function webp(chunks: readonly Buffer[], change = 0): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length + change, 4);
  return Buffer.concat([head, body]);
}

const key = [0, 0, 0, 0x9d, 0x01, 0x2a];
/** 517 by 258 pixels; the two highest bits are a scale. */
const lossy = chunk('VP8 ', ...key, 5, 0x42, 2, 0x81);
/** 16,384 by 258 pixels; the four highest bits are flags. */
const lossless = chunk('VP8L', 0x2f, 0xff, 0x7f, 0x40, 0xf0);
/** 65,798 by 131,589 pixels. */
const canvas = chunk('VP8X', 0, 0, 0, 0, 5, 1, 1, 4, 2, 2);
const frame = chunk('ANMF', 0, 0);
const other = chunk('EXIF', 1, 2, 3);

test.for<[string, Buffer, object]>([
  ['pixels with loss', webp([lossy]), image(517, 258)],
  ['pixels without loss', webp([lossless]), image(16_384, 258)],
  ['a canvas and pixels', webp([canvas, other, lossy]), image(65_798, 131_589)],
  ['a canvas and a frame', webp([canvas, frame]), image(65_798, 131_589)],
  ['a canvas and two frames', webp([canvas, frame, other, frame]), image(65_798, 131_589, true)],
  ['an odd extra', webp([other, lossy]), image(517, 258)],
  ['more behind its end', Buffer.concat([webp([lossy]), Buffer.from('x')]), image(517, 258)],
  ['a rest too short for a chunk', webp([lossy, Buffer.alloc(7)]), image(517, 258)],
  ['nothing', webp([]), none],
  ['a canvas alone', webp([canvas]), none],
  ['frames without a canvas', webp([frame, frame]), none],
  ['too short a canvas', webp([chunk('VP8X', 0, 0, 0, 0, 5, 1, 1, 4, 2), frame]), none],
  ['too few bytes with loss', webp([chunk('VP8 ', ...key, 5, 2, 2)]), none],
  ['too few bytes without loss', webp([chunk('VP8L', 0x2f, 1, 1, 1)]), none],
  [
    'no key frame',
    webp([chunk('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2b, 5, 2, 2, 1)]),
    { problem: 'has a damaged part (no key frame)' },
  ],
  [
    'no signature',
    webp([chunk('VP8L', 0x2e, 0, 0, 0, 0)]),
    { problem: 'has a damaged part (no lossless signature)' },
  ],
  ['a byte less than it says', webp([lossy], 1), early],
  ['a chunk that goes on behind the end', webp([lossy, chunk('EXIF', 1, 2).subarray(0, -1)]), early],
  ['an empty frame at its end', webp([canvas, frame, chunk('ANMF')]), image(65_798, 131_589, true)],
  ['an empty chunk at its end', webp([lossy, chunk('EXIF')]), image(517, 258)],
])('a WebP with %s', ([, given, reported]) => {
  expect(examineWebp(given)).toEqual(reported);
});
