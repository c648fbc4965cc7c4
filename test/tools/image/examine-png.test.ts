import { expect, test } from 'vitest';
import { examinePng, withoutDamagedExtras } from '../../../src/tools/image/examine-image.ts';
import { pngChunk } from '../../support/images.ts';

const early = { problem: 'ends before the image does: it was cut off' };
const image = (animated = false) => ({ mediaType: 'image/png', width: 517, height: 258, animated });
const wrong = (type: string) => ({ problem: `has a damaged part (the checksum of "${type}" is wrong)` });
const noSize = { problem: 'does not begin with its size' };
const noPixels = { problem: 'holds no pixels' };

const head = pngChunk('IHDR', Buffer.from([0, 0, 2, 5, 0, 0, 1, 2, 8, 0, 0, 0, 0]));
const pixels = pngChunk('IDAT', Buffer.from([1, 2, 3]));
const end = pngChunk('IEND', Buffer.alloc(0));
const text = pngChunk('tEXt', Buffer.from('a text'));
const frames = (count: number) => pngChunk('acTL', Buffer.from([0, 0, 0, count, 0, 0, 0, 0]));
const png = (...chunks: readonly Buffer[]) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
/** A chunk with a wrong last byte in its checksum. */
function damaged(chunk: Buffer): Buffer {
  const bytes = Buffer.from(chunk);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes;
}

test.for<[string, Buffer, object]>([
  ['pixels', png(head, pixels, end), image()],
  ['extras and more behind its end', png(head, text, pixels, end, text), image()],
  ['one frame', png(head, frames(1), pixels, end), image()],
  ['two frames', png(head, frames(2), pixels, end), image(true)],
  [
    'half a count of frames',
    png(head, frames(2).subarray(0, 0), pngChunk('acTL', Buffer.alloc(7, 9)), pixels, end),
    image(),
  ],
  ['no size', png(pixels, end), noSize],
  ['a size later', png(text, head, pixels, end), noSize],
  ['a size of too few bytes', png(pngChunk('IHDR', Buffer.alloc(12)), pixels, end), noSize],
  ['no pixels', png(head, end), noPixels],
  ['empty pixels', png(head, pngChunk('IDAT', Buffer.alloc(0)), end), noPixels],
  ['a damaged extra', png(head, damaged(text), pixels, end), wrong('tEXt')],
  ['damaged pixels', png(head, damaged(pixels), end), wrong('IDAT')],
  ['a damaged end', png(head, pixels, damaged(end)), wrong('IEND')],
  ['no end', png(head, pixels), early],
  ['half an end', png(head, pixels, end).subarray(0, -1), early],
  ['half of its pixels', png(head, pixels).subarray(0, -1), early],
  ['nothing', png(), early],
])('a PNG with %s', ([, given, reported]) => {
  expect(examinePng(given)).toEqual(reported);
});

test.for<[string, Buffer, Buffer | null]>([
  ['whole chunks', png(head, text, pixels, end), null],
  ['a damaged extra', png(head, damaged(text), pixels, end), png(head, pixels, end)],
  ['two in a row', png(head, damaged(text), damaged(text), pixels, end), png(head, pixels, end)],
  ['two apart', png(head, damaged(text), pixels, damaged(text), end), png(head, pixels, end)],
  ['a damaged one beside a whole one', png(head, text, damaged(text), text, end), png(head, text, text, end)],
  ['damaged pixels', png(head, damaged(pixels), end), null],
  ['a damaged extra at its end', png(head, pixels, end, damaged(text)), png(head, pixels, end)],
  [
    'one that is cut off',
    png(head, damaged(text), pixels.subarray(0, -1)),
    png(head, pixels.subarray(0, -1)),
  ],
  ['nothing', png(), null],
])('damaged extras of a PNG with %s are dropped', ([, given, stored]) => {
  const left = withoutDamagedExtras(given);
  expect([left.toString('hex'), left === given]).toEqual([
    (stored ?? given).toString('hex'),
    stored === null,
  ]);
});
