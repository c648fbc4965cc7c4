import { expect, test } from 'vitest';
import { parseRegex } from '../../../src/contract/regex-syntax.ts';
import { compileRegex } from '../../../src/permissions/patterns/compile-regex.ts';
import { globMatches } from '../../../src/permissions/patterns/match-globs.ts';

const patterns = [
  ...[
    '',
    'a',
    'ab',
    'a|b',
    'a|',
    '(a|b)c',
    'a*',
    'a+',
    'a?b',
    'a{2}',
    'a{0}',
    'a{2,}b',
    'a{1,3}b',
    '(ab){2,3}$',
  ],
  ...[
    '^a',
    'a$',
    '^$',
    '^a*$',
    '^ab?c{1,2}$',
    '^(a|ab)(c|bcd)$',
    '\\ba',
    'a\\b',
    '\\Ba',
    'a\\B',
    '^\\b',
    '\\b$',
    '\\B',
  ],
  ...[
    '[ab]c',
    '[^a]b',
    '[a-c]{3}',
    '\\d+',
    '\\w b',
    '\\s',
    '\\S\\s',
    '.',
    'a.b',
    '.*b',
    '^.*$',
    '\\n',
    'a\\.b',
    '-',
    '#!',
  ],
  ...['A', '[A-B]', 'ß', 'K', 'ſ', '^\\n^', '$\\n', '(?:a|b)*c', '((a*)*)*b', 'é', '^.$', '^..$', '\\W'],
];
const texts = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'ba',
    'abc',
    'abcd',
    'aa',
    'aab',
    'aaab',
    'aaaab',
    'abab',
    'ababab',
    'ac',
    'bc',
    'c',
    'cab',
  ],
  ...[
    'a b',
    ' a',
    'a ',
    '_a',
    'a_',
    '1',
    'a1',
    'a-b',
    'a.b',
    'a\nb',
    '\n',
    'a\n',
    '\na',
    'a\rb',
    'a\u2028b',
    'a\u2029',
    '#!',
  ],
  ...[
    'A',
    'AB',
    'aB',
    'ẞ',
    'ß',
    'k',
    '\u212a',
    's',
    'S',
    'é',
    'É',
    '😀',
    'a😀',
    '\ud83d',
    ' ',
    '\t',
    'b\nab\nc',
  ],
];

test.each([
  '',
  'i',
  'm',
  'u',
  'im',
  'iu',
  'mu',
  'imu',
])('with the flags "%s" each expression gives the results of JavaScript', (flags) => {
  const wrong = patterns.flatMap((pattern) => {
    const compiled = compileRegex(parseRegex(pattern, flags), flags);
    const real = new RegExp(pattern, flags);
    // Twice: what was found out about a text is remembered.
    return [...texts, ...texts]
      .filter((text) => compiled(text) !== real.test(text))
      .map((text) => `/${pattern}/${flags} ${JSON.stringify(text)}`);
  });
  expect(wrong).toEqual([]);
});

test('many alternatives and characters match in linear time, also after many others', () => {
  const compiled = compileRegex(parseRegex('(a|b|ab)*c[^x]{5}$', ''), '');
  const long = 'ab'.repeat(5_000);
  const letters = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode(0x100 + index)).join('');
  expect([
    compiled(`${long}cabcde`),
    compiled(`${long}cabxde`),
    compiled(`${letters}cabcde`),
    compiled(letters),
  ]).toEqual([...[true, false, true, false]]);
  const any = compileRegex(parseRegex('^[\\u0100-\\u0fff]+$', ''), '');
  expect([any(letters), any(`${letters}a`), any(letters), any(letters.slice(0, 700))]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

/** All words of so many letters at most. */
function words(letters: readonly string[], most: number): string[] {
  const found = [''];
  for (let from = 0, length = 1; length <= most; length += 1) {
    const to = found.length;
    for (; from < to; from += 1) for (const letter of letters) found.push((found[from] ?? '') + letter);
  }
  return found;
}

test('a glob matches the same texts as its regular expression', () => {
  const all = words(['a', 'b'], 5);
  const wrong = words(['a', 'b', '*', '?'], 4).flatMap((glob) => {
    const real = new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
    return all.filter((text) => globMatches(glob, text) !== real.test(text)).map((text) => `${glob} ${text}`);
  });
  expect(wrong).toEqual([]);
  expect([
    globMatches('*a*b', `${'a'.repeat(50_000)}b`),
    globMatches(`${'a*'.repeat(30)}c`, 'a'.repeat(5_000)),
  ]).toEqual([true, false]);
});
