import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { globMatches, nameMatcher } from '../../../src/permissions/patterns/match-globs.ts';
import { pathGlobs } from '../../../src/permissions/patterns/path-globs.ts';

test.each([
  ['', '', true],
  ['', 'a', false],
  ['a', '', false],
  ['*', '', true],
  ['*', 'abc', true],
  ['**', '', true],
  ['?', '', false],
  ['?', 'a', true],
  ['?', '*', true],
  ['??', 'a', false],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  ['a*', 'b', false],
  ['a*c', 'ac', true],
  ['a*c', 'abcbc', true],
  ['a*c', 'abcb', false],
  ['*b', 'ab', true],
  ['*a?', 'aab', true],
  ['*ab*', 'aaabc', true],
  ['a*b*c', 'axbybc', true],
  ['a*b*c', 'axbyb', false],
  ['a*b?', 'abb', true],
  ['**a', 'bba', true],
])('the glob %j on %j: %j', (glob, text, matches) => {
  expect(globMatches(glob, text)).toBe(matches);
});

test('a set of characters matches one character', () => {
  const glob = ['a', /[bc]/, '*', /\d/];
  expect(['ab1', 'acxx2', 'ad1', 'ab', 'ab1x'].map((text) => globMatches(glob, text))).toEqual([
    ...[true, true, false, false, false],
  ]);
});

test.each([
  [[], 'read', false],
  [['read'], 'read', true],
  [['rea'], 'read', false],
  [['agent.*'], 'agent.list', true],
  [['agent.*'], 'agentXlist', false],
  [['r??d', 'x'], 'read', true],
  [['*'], 'mcp__a__b', true],
  [['/read/'], 'read', false],
])('the patterns %j fit %s: %s', (patterns, name, expected) => {
  expect(nameMatcher(patterns)(name)).toBe(expected);
});

test("a model's pattern matches in linear time", () => {
  const hostile = '*a'.repeat(5_000);
  expect(nameMatcher([hostile, '+(+(+(a)))!'])('a'.repeat(5_000))).toBe(true);
});

const paths = [
  ...[
    'a.ts',
    '.eslintrc',
    'src/a.ts',
    'src/a.test.ts',
    'src/deep/er/b.tsx',
    'src/.hidden/c.ts',
    'web/index.js',
  ],
  ...['docs/a.md', 'docs/a/b.md', 'README.md', 'lib/v1/x.py', 'lib/v22/x.py', 'src', 'a/src/b.ts'],
];

test.each([
  ...[
    '**',
    '**/*',
    '*',
    '*.ts',
    '**/*.ts',
    'src/**',
    'src/**/*.ts',
    '**/*.{ts,tsx}',
    '{src,web}/**',
    'docs/*.md',
  ],
  ...[
    'lib/v?/*.py',
    'lib/v[0-9]/**',
    'lib/v[0-9]*/**',
    '**/src/**',
    'src/*/er/*',
    '**/.*',
    'README.md',
    'x/**/y',
  ],
  ...['lib/v[^0-1]*/*', '**/[A-Z]*[.]md', 'src/[.]*/*', '**/[]x]*', '**/[a-', 'lib/[vV][0-9][0-9]/*'],
  ...['**/*.test.*', '{a.ts,docs/{a,b}.md}', 'src/**/**/b.tsx'],
])('%s matches the same paths as in other tools', (glob) => {
  const elsewhere = picomatch(glob, { dot: true });
  expect(paths.filter(pathGlobs([glob]))).toEqual(paths.filter((path) => elsewhere(path)));
});

test('every glob matches in linear time, and one that expands too far matches nothing', () => {
  const globs = ['*a'.repeat(60), '**/a/'.repeat(40), '[ab]*a*a*a', '{a,aa}'.repeat(30)].map(
    (one) => `${one}b`,
  );
  expect(pathGlobs(globs)('a'.repeat(4_000))).toBe(false);
  expect(pathGlobs(globs)('a/'.repeat(2_000))).toBe(false);
  expect(pathGlobs(['{a,b}'.repeat(9)])('aaaaaaaaa')).toBe(false);
});

test('an invalid set matches nothing, and a backslash in a set is literal', () => {
  expect([
    pathGlobs(['[z-a]b'])('zb'),
    pathGlobs(['[\\d]b'])('\\b'),
    pathGlobs(['[\\d]b'])('0b'),
    pathGlobs(['[ab]*[ab]*[ab]*c'])('abababc'),
    // glob(7): a complement.
    pathGlobs(['v[!2]'])('v1'),
    pathGlobs(['v[!2]'])('v2'),
    pathGlobs(['[a-dw]*/**'])('web/index.js'),
  ]).toEqual([false, true, false, true, true, false, true]);
});

test('brackets in the name of a folder are literal', () => {
  expect(pathGlobs(['app/(shop)/**'])('app/(shop)/page.tsx')).toBe(true);
});
