import { expect, test } from 'vitest';
import { examineJpeg } from '../../../src/tools/image/examine-image.ts';

const early = { problem: 'ends before the image does: it was cut off' };
const image = { mediaType: 'image/jpeg', width: 517, height: 258, animated: false };

const segment = (code: number, ...data: number[]) => [0xff, code, 0, data.length + 2, ...data];
const frame = (code: number) => segment(code, 8, 1, 2, 2, 5, 1);
const scan = segment(0xda, 1, 2);
const end = [0x12, 0xff, 0x00, 0xff, 0xd9];
const jpeg = (...parts: readonly (readonly number[])[]) => Buffer.from([0xff, 0xd8, ...parts.flat()]);

const frames = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
test.for(frames)('the segment %i contains the size', (code) => {
  expect(examineJpeg(jpeg(frame(code), scan, end))).toEqual(image);
});

test.for([0xbf, 0xc4, 0xc8, 0xcc, 0xd9 + 2, 0xe0])('the segment %i does not contain the size', (code) => {
  expect(examineJpeg(jpeg(frame(code), scan, end))).toEqual({ problem: 'does not tell its size' });
});

test.for([0x01, 0xd0, 0xd7, 0xd8])('the marker %i has no length', (code) => {
  expect(examineJpeg(jpeg([0xff, code], frame(0xc0), scan, end))).toEqual(image);
});

test.for<[string, Buffer, object]>([
  ['fill bytes', jpeg([0xff, 0xff], frame(0xc0), [0xff], scan, end), image],
  ['two sizes', jpeg(segment(0xc0, 8, 9, 9, 9, 9, 1), frame(0xc0), scan, end), image],
  ['more behind its end', jpeg(frame(0xc0), scan, end, [7]), image],
  ['an end in its head', jpeg(segment(0xe1, 0xff, 0xd9), frame(0xc0), scan, end), image],
  ['a shortest segment', jpeg(segment(0xe1), frame(0xc0), scan, end), image],
  [
    'a size of too few bytes',
    jpeg(segment(0xc0, 8, 1, 2, 2, 5), scan, end),
    { problem: 'does not tell its size' },
  ],
  ['an end before the scan', jpeg(frame(0xc0), [0xff, 0xd9, 0, 0]), { problem: 'holds no pixels' }],
  [
    'a segment without a length',
    jpeg([0xff, 0xe1, 0, 1]),
    { problem: 'has a damaged part (a segment without a length)' },
  ],
  [
    'a segment that begins elsewhere',
    jpeg(frame(0xc0), [0, ...scan], end),
    { problem: 'has a damaged part (a segment does not begin where it should)' },
  ],
  ['nothing', jpeg(), early],
  ['the head of a segment', jpeg(frame(0xc0), [0xff, 0xda, 0]), early],
  ['half a segment', jpeg(segment(0xe1, 1, 2).slice(0, -1)), early],
  ['no pixels behind the scan', jpeg(frame(0xc0), scan), early],
  ['no end', jpeg(frame(0xc0), scan, end.slice(0, -1)), early],
  ['an end in the head of its scan', jpeg(frame(0xc0), segment(0xda, 0xff, 0xd9), [0]), early],
])('a JPEG with %s', ([, given, reported]) => {
  expect(examineJpeg(given)).toEqual(reported);
});
