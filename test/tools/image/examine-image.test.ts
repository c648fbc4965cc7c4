import { expect, test } from 'vitest';
import { examineImage } from '../../../src/tools/image/examine-image.ts';
import { toImagePart } from '../../../src/tools/image/to-image-part.ts';
import { gif, jpeg, png, pngChunk, webp } from '../../support/images.ts';

const size = { width: 517, height: 33 };
const samples: Record<string, Buffer> = {
  png: png(size),
  jpeg: jpeg(size),
  gif: gif(size),
  'webp, lossy': webp(size, 'lossy'),
  'webp, lossless': webp(size, 'lossless'),
  'webp, extended': webp(size, 'extended'),
};

test.each([
  ['png', 'image/png', false],
  ['jpeg', 'image/jpeg', false],
  ['gif', 'image/gif', false],
  ['webp, lossy', 'image/webp', false],
  ['webp, lossless', 'image/webp', false],
  ['webp, extended', 'image/webp', true],
])('a %s is recognised by its bytes, with its size in pixels', (name, mediaType, animated) => {
  expect(examineImage(samples[name] ?? Buffer.alloc(0))).toEqual({ mediaType, ...size, animated });
});

test.each(Object.keys(samples))('a truncated %s never counts as complete', (name) => {
  const whole = samples[name] ?? Buffer.alloc(0);
  const taken: number[] = [];
  // The last byte of a GIF is a trailer that some programs leave out; the last of a WebP may be padding.
  for (let length = 0; length < whole.length - 1; length += 1) {
    if ('mediaType' in examineImage(whole.subarray(0, length))) taken.push(length);
  }
  expect(taken).toEqual([]);
});

test('checksums find a changed byte in a PNG', () => {
  const bytes = Buffer.from(png(size));
  bytes[45] = (bytes[45] ?? 0) ^ 1;
  expect(examineImage(bytes)).toEqual({ problem: 'has a damaged part (the checksum of "IDAT" is wrong)' });
});

test('a damaged extra chunk of a PNG is dropped, because the pixels are complete without it', () => {
  const profile = pngChunk('iCCP', Buffer.from('a profile'));
  profile[10] = (profile[10] ?? 0) ^ 1;
  const whole = png(size);
  const damaged = Buffer.concat([whole.subarray(0, 33), profile, whole.subarray(33)]);
  expect([examineImage(damaged), toImagePart('x', damaged, damaged.length).part]).toEqual([
    { problem: 'has a damaged part (the checksum of "iCCP" is wrong)' },
    { type: 'image', media_type: 'image/png', data: whole.toString('base64') },
  ]);
});

test('an animation is recognised', () => {
  const frames = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  const still = png(size);
  const animated = Buffer.concat([still.subarray(0, 33), frames, still.subarray(33)]);
  expect([examineImage(animated), examineImage(gif(size, 2))]).toEqual([
    { mediaType: 'image/png', ...size, animated: true },
    { mediaType: 'image/gif', ...size, animated: true },
  ]);
});

test('a GIF without a trailer is accepted if its last picture is complete', () => {
  expect(examineImage(gif(size).subarray(0, -1))).toEqual({
    mediaType: 'image/gif',
    ...size,
    animated: false,
  });
});

test.each(
  [
    ['<?xml version="1.0"?>\n<svg xmlns="x"/>', 'an SVG drawing', true],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:1', 'a Git LFS pointer', true],
    ['Größe\n'.repeat(2000), 'a text file', true],
    ['', 'empty', true],
    ['BM\0\0', 'a BMP image', false],
    ['MM\0*\0', 'a TIFF image', false],
    ['\0\0\0\x20ftypavif', 'an AVIF image', false],
    ['\0\0\0\x20ftypheic', 'a HEIF image', false],
    ['%PDF-1.7\0', 'a PDF document', false],
    ['\x7fELF\0', 'a file of no known image format', false],
  ].map(([text, otherKind, isText]) => ({ text: String(text), otherKind, isText })),
)('$otherKind is reported by its kind', ({ text, otherKind, isText }) => {
  expect(examineImage(Buffer.from(text))).toEqual({ otherKind, isText });
});

test('no input makes it throw', () => {
  for (const [name, whole] of Object.entries(samples)) {
    for (let at = 0; at < Math.min(whole.length, 200); at += 1) {
      for (const value of [0x00, 0xff, 0x7f]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        expect(() => examineImage(bytes), `${name}, byte ${at}`).not.toThrow();
      }
    }
  }
});
