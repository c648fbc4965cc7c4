import { expect, test } from 'vitest';
import { endingAt, fileEndings, originalOffsets } from '../../../src/tools/edit/line-endings.ts';

/**
 * A text that replaces the only part of a file between `[` and `]`; newlines as `|`, `\r\n` as `/`.
 */
function put(marked: string, text: string): string {
  const file = marked.replaceAll('|', '\n').replaceAll('/', '\r\n');
  const [start, end] = [file.indexOf('['), file.indexOf(']') - 1];
  const whole = file.replace('[', '').replace(']', '');
  const placed = fileEndings(whole)({ start, end }, text.replaceAll('|', '\n'));
  return placed.replaceAll('\r\n', '/').replaceAll('\n', '|');
}

test.for<[string, string, string]>([
  ['a|[b|]c', 'x|y|', 'x|y|'],
  ['a/[b/]c', 'x', 'x'],
  ['a/[b/]c', 'x|y|', 'x/y/'],
  ['a/[b/]c', 'x|y', 'x/y'],
  ['a/[b]', 'x|y', 'x/y'],
  ['a|b/[c]', 'x|y', 'x/y'],
  ['a/b|[c]', 'x|y', 'x|y'],
  ['a/[b]|c', 'x|y', 'x|y'],
  ['a|[b]/c', 'x|y', 'x/y'],
  ['[|a]/b', '|x', '|x'],
  ['[a/b|c/d|]', 'a|b|c|d|', 'a/b|c/d|'],
  ['[a/b|c/d|]', 'a|x|c|d|', 'a/x/c/d|'],
  ['[a|b/c|d/]', 'a|x|c|d|', 'a|x|c|d/'],
  ['[a|b/c|d/]', 'a|x|y|c|d|', 'a|x|y|c|d/'],
  ['[a|b/c|d/]', 'a|d|', 'a|d/'],
  ['[a|b/c|d/]', 'a|b|', 'a|b/'],
  ['[a|b/c|d/]', 'c|d|', 'c|d/'],
  ['[a/b|a/b|]c', 'a|b|', 'a/b|'],
  ['x/[a|b]/c', 'a|b|b', 'a|b|b'],
  ['x/[a|b]/c', 'y|b', 'y|b'],
])('in %j the text %j becomes %j', ([file, text, placed]) => {
  expect(put(file, text)).toBe(placed);
});

test('parts are returned in order, and one without a line end ends as the last line does', () => {
  const file = 'a\nb\r\nc\nd\r\ne';
  const endings = fileEndings(file);
  expect([0, 2, 5, 7, 10].map((start) => endings({ start, end: start + 1 }, 'x\ny'))).toEqual([
    'x\ny',
    'x\r\ny',
    'x\ny',
    'x\r\ny',
    'x\r\ny',
  ]);
});

test('the line ending at a position is that of its line, else of the line before', () => {
  const mixed = 'a\r\nb\nc';
  expect([
    ...[0, 1, 3, 5].map((at) => endingAt(mixed, at, at)),
    endingAt('\r\nb', 2, 3),
    endingAt('a\r\nb', 3, 4),
    endingAt('a\r\nb', 4, 3),
    endingAt('a\nb', 2, 3),
    endingAt('\na\r\n', 0, 0),
    endingAt('a', 0, 1),
    endingAt('', 0, 0),
  ]).toEqual(['\r', '\r', '', '', '\r', '\r', '\r', '', '', '', '']);
});

test('each position in a text without carriage returns maps to one in the text with them', () => {
  const places = (text: string) =>
    Array.from({ length: text.replaceAll('\r\n', '\n').length + 1 }, (_, at) => originalOffsets(text)(at));
  expect([
    places('ab'),
    places('a\r\nb'),
    places('\r\n\r\n'),
    places('a\r\n\rb\r\n'),
    places('a\nb'),
  ]).toEqual([
    [0, 1, 2],
    [0, 1, 3, 4],
    [0, 2, 4],
    [0, 1, 3, 4, 5, 7],
    [0, 1, 2, 3],
  ]);
});
