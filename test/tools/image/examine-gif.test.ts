import { expect, test } from 'vitest';
import { examineGif } from '../../../src/tools/image/examine-image.ts';

const early = { problem: 'ends before the image does: it was cut off' };
const none = { problem: 'holds no pixels' };
const damaged = { problem: 'has a damaged part (a block of no known kind)' };
const image = (pictures: number) => ({
  ...{ mediaType: 'image/gif', width: 517, height: 258, animated: pictures > 1 },
});

/** A GIF of 517 by 258 pixels with these flags of its colour table, and these bytes behind its header. */
function gif(flags: number, ...rest: (number | readonly number[])[]): Buffer {
  const header = [...Buffer.from('GIF89a'), 5, 2, 2, 1, flags, 0, 0];
  return Buffer.from([...header, ...rest.flat()]);
}
const picture = (flags = 0, table: readonly number[] = []) => [
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, flags, ...table],
  ...[2, 2, 0x44, 1, 1, 9, 0],
];
const trailer = 0x3b;
const bytes = (count: number) => Array.from({ length: count }, () => 0x2c);

test.for<[string, Buffer, object]>([
  ['a picture', gif(0, picture(), trailer), image(1)],
  ['two pictures', gif(0, picture(), picture(), trailer), image(2)],
  ['a table of 2 colours', gif(0x80, bytes(6), picture(), trailer), image(1)],
  ['a table of 256 colours', gif(0x87, bytes(768), picture(), trailer), image(1)],
  ['the bits of a size without a table', gif(0x77, picture(), trailer), image(1)],
  ['a picture with a table of its own', gif(0, picture(0x82, bytes(24)), trailer), image(1)],
  ['an extension', gif(0, [0x21, 0xfe, 2, 0x2c, 0x3b, 1, 0, 0], picture(), trailer), image(1)],
  ['more behind the trailer', gif(0, picture(), trailer, 7, 7), image(1)],
  ['no trailer', gif(0, picture(), picture()), image(2)],
  ['no picture', gif(0, [0x21, 0xfe, 0], trailer), none],
  ['neither', gif(0, [0x21, 0xfe, 0]), early],
  ['nothing', gif(0), early],
  ['no trailer behind one picture', gif(0, picture()), image(1)],
  ['no size', gif(0).subarray(0, 9), early],
  ['half a header', gif(0).subarray(0, -1), early],
  ['half a picture', gif(0, picture()).subarray(0, -1), early],
  ['half a second picture', gif(0, picture(), picture().slice(0, -1)), early],
  ['pixels that go on', gif(0, picture().slice(0, -1), 5, 1), early],
  ['another block', gif(0, picture(), 0x2b), damaged],
])('a GIF with %s', ([, given, reported]) => {
  expect(examineGif(given)).toEqual(reported);
});
