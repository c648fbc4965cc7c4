import { expect, test } from 'vitest';
import { united } from '../../src/redaction/find-secrets.ts';
import { normaliseText } from '../../src/redaction/normalise-text.ts';
import {
  base64Core,
  isRandom,
  partsOf,
  secretsWithin,
  writtenForms,
} from '../../src/redaction/secret-forms.ts';

test('a value is a secret with and without the space around it, and so are the keys in it', () => {
  const body = 'k'.repeat(40);
  const key = `-----BEGIN A KEY-----\\n${body}\\n-----END A KEY-----`;
  expect([
    secretsWithin(' abcdef '),
    secretsWithin('abcde'),
    secretsWithin('  abcd '),
    secretsWithin(key),
  ]).toEqual([[' abcdef ', 'abcdef'], [], ['  abcd '], [key, body]]);
  expect(secretsWithin(key.replace(body, 'k'.repeat(37))).length).toBe(1);
});

test('a secret is searched for in plain, URL, JSON and HTML form, and a short one in base64', () => {
  expect(writtenForms('a&<"\'>b')).toEqual([
    'a&<"\'>b',
    "a%26%3C%22'%3Eb",
    'a&<\\"\'>b',
    "a&amp;&lt;&quot;'&gt;b",
    'a&amp;&lt;&quot;&#39;&gt;b',
    ...['YSY8Iic+Y', 'YSY8Iic-Y', 'EmPCInPm', 'EmPCInPm', 'hJjwiJz5i', 'hJjwiJz5i'],
  ]);
  const forms = [23, 24].map((length) => writtenForms('x'.repeat(length)).length);
  expect(forms).toEqual([11, 5]);
  expect(writtenForms('abcde\ud800').slice(0, 2)).toEqual(['abcde\ud800', 'abcde\ud800']);
});

test('only random secrets are found by their parts', () => {
  const random = 'aB3xY9kQ2mZ7pL4wN8vR';
  const words = [random, `${random} `, 'abcdefghi123jklmnopq'];
  const others = [
    ...[
      random.slice(1),
      'https://aB3xY9kQ2mZ7pL4wN8',
      `{${random}`,
      `"${random}`,
      'correct horse battery 123 x',
    ],
    ...['abcdefghijklmnopqr12', '12345678901234567890ab', 'aaaaaaaaaaaaaaaaa123', 'ab3'.repeat(7)],
    `${'abcdefghijklmnopqrstuvwxyz'.repeat(4)}123`,
  ];
  expect([words.filter((text) => !isRandom(text)), others.filter(isRandom)]).toEqual([[], []]);
});

test('the parts of a stream overlap by half, including its end', () => {
  const text = 'abcdefghijklmnopqrstuvwxyz0';
  const parts = (length: number, byParts = true) =>
    partsOf({ text: text.slice(0, length), byParts }).map((part) => [part.offset, part.text.length]);
  expect([parts(23), parts(24), parts(27), parts(27, false)]).toEqual([
    [[0, 23]],
    [
      [0, 16],
      [8, 16],
      [8, 16],
    ],
    [
      [0, 16],
      [8, 16],
      [11, 16],
    ],
    [[0, 27]],
  ]);
  expect(partsOf({ text: 'abcd'.repeat(8), byParts: true })).toEqual([]);
});

test('the core of base64 does not depend on the text around it', () => {
  const cores = [0, 1, 2].map((offset) => base64Core(Buffer.from('secret!'), offset));
  const within = cores.map((core, offset) =>
    ['a', '\u007f'].every((other) =>
      Buffer.from(`${other.repeat(offset)}secret!${other}`)
        .toString('base64')
        .includes(core),
    ),
  );
  expect([cores, within, base64Core(Buffer.from(''), 0)]).toEqual([
    ['c2VjcmV0I', 'NlY3JldC', 'zZWNyZXQh'],
    [true, true, true],
    '',
  ]);
});

test('overlapping ranges are merged, and touching ones are not', () => {
  const ranges = [
    { start: 5, end: 7 },
    { start: 0, end: 3 },
    { start: 2, end: 4 },
    { start: 4, end: 5 },
    { start: 5, end: 6 },
  ];
  expect(united(ranges)).toEqual([
    { start: 0, end: 4 },
    { start: 4, end: 5 },
    { start: 5, end: 7 },
  ]);
});

const terminal = '\u001b';

test.each<[text: string, plain: string, decoded: string]>([
  ['a b-c_D\n9"', 'abcD9', 'abcD9'],
  ['a\\nb\\\\tc\\rd', 'abcd', 'abcd'],
  [`a${terminal}[01;31mb${terminal}[0Kc`, 'abc', 'abc'],
  ['a\\u001b[0mb\\x1b[1mc\\033[2md\\e[3me', 'abcde', 'abcde'],
  ['0x41, 0x42 x0x41', '4142x0x41', '4142x0x41'],
  ['\\x41\\x42', '4142', 'AB'],
  ['\\u0041\\u{42}', 'u0041u42', 'AB'],
  ['%41%2542', '412542', 'AB'],
  ['%C3%A9', 'C3A9', 'é'],
  ['&#65;&#x42;&amp;#67;', '65x42amp67', 'ABC'],
  ['a&lt;b&amp;c', 'altbampc', 'abc'],
  ['a\u00a0b\u00adc\u034fd\u061ce\u115ff\u1160g', 'abcdefg', 'abcdefg'],
  ['a\u2010b\u2027c\u200bd\u2028e\u206ff', 'a\u2010b\u2027cdef', 'a\u2010b\u2027cdef'],
  ['a\u3000b\u3164c\ufeffd\uffa0e\ufe00f\ufe0fg\u180bh\u180fi', 'abcdefghi', 'abcdefghi'],
  [
    '\u00a1é\u1161\u2070\u3001\ufe10\u1810',
    '\u00a1é\u1161\u2070\u3001\ufe10\u1810',
    '\u00a1é\u1161\u2070\u3001\ufe10\u1810',
  ],
  ['%', '', ''],
  ['a\\', 'a', 'a'],
])('%j is %j normalised, and %j decoded', (text, plain, decoded) => {
  expect([normaliseText(text, false).text, normaliseText(text, true).text]).toEqual([plain, decoded]);
});

test('each character of a normalised text has its original position', () => {
  const { text, starts, ends } = normaliseText('a %41b', true, [
    { start: 0, end: 1 },
    { start: 2, end: 6 },
  ]);
  expect([text, [...starts.slice(0, 3)], [...ends.slice(0, 3)]]).toEqual(['aAb', [0, 2, 5], [1, 5, 6]]);
});
