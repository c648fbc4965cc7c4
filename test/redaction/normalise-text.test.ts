import { expect, test } from 'vitest';
import { encoded, normaliseText } from '../../src/redaction/normalise-text.ts';

const plain = (text: string) => normaliseText(text, false).text;
const decoded = (text: string) => normaliseText(text, true).text;
const esc = '\u001b';

test('letters and digits stay, each with its original position', () => {
  const { text, starts, ends } = normaliseText('a-B\\n 9\\x41', false);
  const places = Array.from(text, (_, index) => [starts[index], ends[index]]);
  expect([text, places]).toEqual([
    'aB941',
    [
      [0, 1],
      [2, 3],
      [6, 7],
      [9, 10],
      [10, 11],
    ],
  ]);
  const other = normaliseText('%41&#x42;x', true);
  expect([other.text, [...other.starts.slice(0, 3)], [...other.ends.slice(0, 3)]]).toEqual([
    'ABx',
    [0, 3, 9],
    [3, 9, 10],
  ]);
});

test('only visible characters remain', () => {
  const stored = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
      (code) => plain(String.fromCharCode(code)) !== '',
    );
  const whole = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  expect(stored(0, 0x7f)).toEqual([...whole(0x30, 0x39), ...whole(0x41, 0x5a), ...whole(0x61, 0x7a)]);
  const without = (from: number, to: number, ...dropped: readonly number[]) =>
    whole(from, to).filter((code) => !dropped.includes(code));
  expect(stored(0x80, 0x11a0)).toEqual(without(0xa1, 0x11a0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160));
  expect(stored(0x1800, 0x1820)).toEqual(without(0x1800, 0x1820, ...whole(0x180b, 0x180f)));
  expect(stored(0x1fff, 0x2071)).toEqual([0x1fff, ...whole(0x2010, 0x2027), 0x2070, 0x2071]);
  expect(stored(0x2fff, 0x3165)).toEqual(without(0x2fff, 0x3165, 0x3000, 0x3164));
  expect(stored(0xdb3f, 0xdb41)).toEqual([0xdb3f, 0xdb41]);
  expect(stored(0xfdff, 0xffa1)).toEqual(without(0xfdff, 0xffa1, ...whole(0xfe00, 0xfe0f), 0xfeff, 0xffa0));
});

test('terminal colours, line ends and byte marks are dropped in any notation', () => {
  const colours = [
    ...[
      `${esc}[0m`,
      `${esc}[38;5;1m`,
      `${esc}[?25l`,
      `${esc}[K`,
      `${esc}[${'0'.repeat(20)}m`,
      '\\x1b[0m',
      '\\u001b[1;31m',
    ],
    ...[
      '\\033[0m',
      '\\e[0m',
      '\\E[0m',
      '\\X1B[0m',
      `${'\\'.repeat(8)}e[0m`,
      '\\n',
      '\\r',
      '\\t',
      `${'\\'.repeat(8)}n`,
    ],
  ];
  expect(colours.filter((one) => plain(`a${one}b`) !== 'ab' || decoded(`a${one}b`) !== 'ab')).toEqual([]);
  expect([
    plain(`a${esc}[b`),
    plain(`a${esc}[${'0'.repeat(21)}m`),
    plain(`a${esc}0mb`),
    plain('a\\x41\\X4f\\x4'),
    plain('a\\N\\qb'),
    plain(`a${'\\'.repeat(9)}nb`),
  ]).toEqual(['a', `a${'0'.repeat(21)}m`, 'a0mb', 'a414fx4', 'aNqb', 'ab']);
});

test('the prefix of hexadecimal digits is dropped before two separate digits', () => {
  expect([
    plain('0x41, 0X4f 0xAB'),
    plain('0x4 0x414 0x41g 0xgg'),
    plain('a0x41 Z0x41 90x41 _0x41 é0x41'),
    plain('(0x41)0x42'),
  ]).toEqual(['414fAB', '0x40x41441g0xgg', 'a0x41Z0x4190x4141é41', '4142']);
});

test.each<[text: string, read: string]>([
  ['%41%42', 'AB'],
  ['%2541', 'A'],
  [`%${'25'.repeat(8)}41`, 'A'],
  ['%c3%A9', 'é'],
  ['%4', '4'],
  ['%zz', 'zz'],
  ['\\u0041\\U0042', 'AB'],
  ['\\u{41}\\u{1F600}', 'A😀'],
  ['\\x41\\X42', 'AB'],
  [`${'\\'.repeat(8)}u0041`, 'A'],
  [`${'\\'.repeat(9)}u0041`, 'A'],
  ['\\u{0}\\u{110000}a', 'a'],
  ['\\u{10ffff}', '\u{10ffff}'],
  ['\\u004', 'u004'],
  ['\\u{1234567}', 'u1234567'],
  ['&#65;&#66', 'AB'],
  ['&#x41;&#X42', 'AB'],
  ['&amp;#65;', 'A'],
  [`&${'amp;'.repeat(8)}#65;`, 'A'],
  ['&lt;a&gt;b&quot;c&apos;d', 'abcd'],
  ['&amp;a&amp;amp;b', 'ab'],
  ['&amp', 'amp'],
  ['&LT;a', 'a'],
  ['&nbsp;a', 'nbspa'],
  ['&#1234567;a', 'a'],
  ['&#12345678;', '8'],
  ['&#x0000041;', '1'],
])('%s is normalised to %s if escapes are decoded', (text, read) => {
  expect(decoded(text)).toBe(read);
});

test('escapes stay as written if they are not decoded', () => {
  expect([plain('%41'), plain('&#65;'), plain('\\u0041'), plain('&lt;')]).toEqual([
    '41',
    '65',
    'u0041',
    'lt',
  ]);
});

test('a text with an escape is recognised, and a text without one is not', () => {
  const with_ = [
    '%4f',
    '%C3',
    '\\u0',
    '\\x4',
    '\\u{',
    '\\U{',
    `${'\\'.repeat(8)}xf`,
    '&#',
    '&amp;',
    '&LT;',
    '&gt;',
    '&quot;',
    '&apos;',
  ];
  const without = ['%4', '%g1', '%', '\\n', '\\ug', 'u0041', '&', '&nbsp;', '&amp', 'x41', ''];
  expect([with_.filter((one) => !encoded.test(one)), without.filter((one) => encoded.test(one))]).toEqual([
    [],
    [],
  ]);
});

test('parts of a text are normalised as one', () => {
  const ranges = [
    { start: 1, end: 3 },
    { start: 5, end: 8 },
  ];
  const { text, starts } = normaliseText('xab--c dyy', false, ranges);
  expect([text, [...starts.slice(0, text.length)], normaliseText('abc', false, []).text]).toEqual([
    'abcd',
    [1, 2, 5, 7],
    '',
  ]);
});
