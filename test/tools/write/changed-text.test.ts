import { expect, test } from 'vitest';
import { changedText } from '../../../src/tools/write/verify-change.ts';

const state = (content: string | Buffer) => ({ content: Buffer.from(content as string), mode: 0o644 });
const text = (path: string, before: string | Buffer | null, after: string | Buffer | null) =>
  changedText({
    path,
    before: before === null ? null : state(before),
    after: after === null ? null : state(after),
  });
const latin = Buffer.from('é', 'latin1');
const mebibytes = 4 * 1024 * 1024;

test('a changed file has its text before and after', () => {
  expect([
    text('a', 'x', 'y'),
    text('a', null, 'é'),
    text('a', latin, 'y'),
    text('node_modules.json', 'x', 'y'),
    text('my_node_modules/a', 'x', 'y'),
  ]).toEqual([
    [{ path: 'a', before: 'x', after: 'y' }],
    [{ path: 'a', before: null, after: 'é' }],
    [{ path: 'a', before: null, after: 'y' }],
    [{ path: 'node_modules.json', before: 'x', after: 'y' }],
    [{ path: 'my_node_modules/a', before: 'x', after: 'y' }],
  ]);
});

test('removed, unchanged, binary, foreign and over 4 MiB files are not checked', () => {
  expect([
    text('a', 'x', null),
    text('a', 'x', 'x'),
    text('a', 'x', latin),
    text('a', 'x', 'a\0'),
    text('node_modules/a', 'x', 'y'),
    text('b/node_modules/a', 'x', 'y'),
    text('a', 'x', 'y'.repeat(mebibytes + 1)),
  ]).toEqual([[], [], [], [], [], [], []]);
  expect(text('a', 'x', 'y'.repeat(mebibytes))).toHaveLength(1);
});
