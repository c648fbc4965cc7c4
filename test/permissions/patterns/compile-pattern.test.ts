import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parsePattern } from '../../../src/contract/pattern.ts';
import {
  compilePattern,
  patternMatches,
  patternProblem,
} from '../../../src/permissions/patterns/compile-pattern.ts';
import { describePermission } from '../../../src/permissions/policy/describe-permission.ts';

describe('a glob', () => {
  it.each([
    ['src/a/b.ts', 'src/*.ts', true],
    ['src/a\nb', 'src/*', true],
    ['a.b', 'a?b', true],
    ['axb', 'a.b', false],
    ['', '*', true],
    ['', '?', false],
    ['ab', '*b*', true],
    ['abcabd', 'a*abd', true],
    ['/', '/', true],
    ['//', '//', true],
    // A glob that ends in a blank and a star means the word alone as well, and no longer word.
    ['make', 'make *', true],
    ['make -j site', 'make *', true],
    ['makeshift', 'make *', false],
    ['makeshift', 'make*', true],
    ['make', 'make*', true],
    ['a+b', 'a+b', true],
    ['v12', 'v?', false],
  ])('on %j: %j is %s', (text, glob, matches) => {
    expect(patternMatches(glob, text)).toBe(matches);
  });

  it('matches like the regular expression that it is compiled to', () => {
    const glob = fc.array(fc.constantFrom('*', '?', 'a', 'b', ' ', '.'), { maxLength: 8 });
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '.'), { maxLength: 10 });
    fc.assert(
      fc.property(glob, text, (globParts, textParts) => {
        const [pattern, given] = [globParts.join(''), textParts.join('')];
        const open = pattern.endsWith(' *');
        const body = (open ? pattern.slice(0, -2) : pattern)
          .replaceAll('.', '\\.')
          .replaceAll('*', '.*')
          .replaceAll('?', '.');
        const wanted = new RegExp(`^${body}${open ? '(?: .*)?' : ''}$`, 's').test(given);
        expect([pattern, given, patternMatches(pattern, given)]).toEqual([pattern, given, wanted]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches a hostile text in linear time', () => {
    expect(patternMatches('*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(20_000))).toBe(false);
  });
});

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\s',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\n',
  '\\u0061',
  '-',
);
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?');
const { regex } = fc.letrec<{ regex: string; term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    // What asserts a place cannot be repeated everywhere in JavaScript.
    fc.tuple(atom, quantifier).map(([one, times]) => (/^(\\[bB]|[\^$])$/.test(one) ? one : one + times)),
    fc.tuple(tie('regex'), quantifier).map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(tie('regex'), tie('regex')).map(([one, other]) => `(${one}|${other})`),
  ),
  regex: fc.array(tie('term'), { maxLength: 3 }).map((terms) => terms.join('')),
}));

describe('a regular expression', () => {
  it('matches exactly like JavaScript', () => {
    const flags = fc.subarray(['i', 'm', 's', 'u']).map((chosen) => chosen.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'A', ' ', '-', '\n', '\u{1F600}'), { maxLength: 5 });
    fc.assert(
      fc.property(regex, flags, fc.array(text, { minLength: 1, maxLength: 4 }), (source, chosen, texts) => {
        // V8 also tries the middle of a character of two code units, where only `\\B` can hold.
        fc.pre(source !== '' && !(source.includes('\\B') && chosen.includes('u')));
        const native = new RegExp(source, chosen);
        const matches = compilePattern(parsePattern(`/${source}/${chosen}`));
        const given = texts.map((parts) => parts.join(''));
        expect([source, chosen, given, given.map(matches)]).toEqual([
          source,
          chosen,
          given,
          given.map((one) => native.test(one)),
        ]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['/^git push\\b.*--force/', 'git push origin --force', true],
    ['/^(npm|pnpm) (test|run [\\w:-]+)$/', 'pnpm run build:all', true],
    ['/RM\\s/i', 'rm x', true],
    ['/^\\+.*eval\\(/m', '--- a\n+++ b\n+eval(x)', true],
    ['/a.b/', 'a\nb', false],
    ['/a.b/s', 'a\nb', true],
    ['/^.$/u', '\u{1F600}', true],
    ['/^.$/', '\u{1F600}', false],
    ['/\\p{Lu}/u', 'aÄ', true],
    ['/[\\]x-]$/', 'a]', true],
    ['/a{,2}/', 'a{,2}', true],
    ['/(?<kind>curl|wget)/', 'x wget y', true],
    ['/etc/', 'etc', true],
    ['/ſ\\b/iu', 'S', true],
  ])('%s on %j is %s', (pattern, text, matches) => {
    expect(patternMatches(pattern, text)).toBe(matches);
  });

  it.each([
    ['/^(a+)+$/', `${'a'.repeat(50_000)}b`],
    ['/^(a|aa)*$/', `${'a'.repeat(50_000)}b`],
    ['/(.*)(.*)(.*)(.*)x/s', 'y'.repeat(50_000)],
    ['/\\s+$/', `${' '.repeat(50_000)}x`],
  ])('%s matches a hostile text in linear time', (pattern, text) => {
    expect(patternMatches(pattern, text)).toBe(false);
  });

  it.each([
    ['/[/', 'unterminated character class'],
    ['/(a/', 'unterminated group'],
    ['/(?=a)b/', 'it uses lookaround'],
    ['/(?<!a)b/', 'it uses lookaround'],
    ['/(a)\\1/', 'it has a backreference'],
    ['/(?<x>a)\\k<x>/', 'it has a backreference'],
    ['/(?i:a)/', 'it changes its flags inside'],
    ['/(a{1000}){9}/', 'it is too large'],
    ['/\\cA/', 'it names a character'],
  ])('%s is refused: %s', (pattern, why) => {
    expect(() => patternMatches(pattern, '')).toThrow(
      expect.objectContaining({ name: 'SyntaxError', message: expect.stringContaining(why) }),
    );
  });
});

test.each([
  ['npm *'],
  ['/^a$/'],
  [3],
  [true],
  [null],
  [['a', '/b/']],
  [{ a: ['b'], c: 1 }],
])('all patterns in %j can be used', (matcher) => {
  expect(patternProblem(matcher as never)).toBeNull();
});

test.each([
  ['/(/'],
  [['a', '/(/']],
  [{ a: 'b', c: ['d', '/(/'] }],
])('the first invalid pattern in %j is named', (matcher) => {
  expect(patternProblem(matcher)).toMatch(/^\/\(\/ is no regular expression: /);
});

test("a grant's rule is described", () => {
  const rule = { tool: 'bash', action: 'allow' as const };
  expect([
    describePermission(rule),
    describePermission({ ...rule, matches: {} }),
    describePermission({ ...rule, matches: { command: ['npm *'], network: true } as never }),
  ]).toEqual([
    'every call of bash',
    'every call of bash',
    'each call of bash whose command matches ["npm *"] and network matches true',
  ]);
});
