import type { Part } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { showParts } from '../../../src/extensions/a2a/a2a-call-tool.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const part = (content: Part['content'], mediaType = '', filename = ''): Part => ({
  ...{ content, mediaType, filename, metadata: undefined },
});
const raw = (bytes: string | Buffer, mediaType = '', filename = '') =>
  part({ $case: 'raw', value: Buffer.from(bytes) }, mediaType, filename);
const displayed = (...parts: Part[]) =>
  showParts(parts).map((one) => (one.type === 'text' ? one.text : `<${one.type}>`));

it('displays texts and data in full, without hidden characters', () => {
  const data = part({ $case: 'data', value: { a: [1] } });
  expect(displayed(part({ $case: 'text', value: 'a\u202eb\r\nc' }), data, part(undefined))).toEqual([
    'ab\nc',
    '{\n  "a": [\n    1\n  ]\n}',
    '[a part without content]',
  ]);
});

it('names files stored elsewhere', () => {
  const at = (value: string, ...rest: string[]) => part({ $case: 'url', value }, ...rest);
  expect(
    displayed(at('https://a.test/'), at('u'.repeat(2_001), 'a/b', 'c'), at('u', 'a/b', 'n'.repeat(201))),
  ).toEqual([
    '[a file, to be found at https://a.test/]',
    `[c, a/b, to be found at ${'u'.repeat(2_000)}]`,
    `[${'n'.repeat(200)}, to be found at u]`,
  ]);
});

it.each([
  'text/csv',
  'application/json',
  'application/xml',
  'application/yaml',
  'application/toml',
])('displays a file of %s as text', (type) => {
  expect(displayed(raw('é\u200b', type, 'a'))).toEqual([`[a, ${type}]\né`]);
});

it.each([
  'application/zip',
  'x-text/a',
  'application/x-json',
  'video/mp4',
  'x-image/png',
  '',
])('names a file of %s', (type) => {
  const name = type === '' ? 'a' : `a, ${type}`;
  expect(displayed(raw('é', type, 'a'))).toEqual([`[${name}, 2 bytes, which cannot be shown]`]);
});

it('displays five images, and names the others and invalid ones', () => {
  const image = raw(png, 'image/png', 'a.png');
  expect(displayed(raw('no image', 'image/png', 'b.png'), image, image, image, image, image)).toEqual([
    expect.stringMatching(/^\[b\.png, image\/png .*\]$/),
    ...Array.from({ length: 4 }, () => '<image>'),
    `[a.png, image/png, ${png.length} bytes, which cannot be shown]`,
  ]);
});
