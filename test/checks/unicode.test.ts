import { expect, test } from 'vitest';
import { findHiddenCharacters } from '../../src/checks/unicode.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree) =>
  (await diffOf(before, after)).files
    .flatMap((file) => findHiddenCharacters(file))
    .map(({ path, line, severity, body }) => `${path}:${line} ${severity} ${body}`);

const tags = (text: string) =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join('');

test('characters that change the text direction, spell hidden words or have no width are reported by name', async () => {
  expect(
    await found(
      { 'a.ts': 'one\n' },
      {
        'a.ts': `one\nif (level != "user\u202E \u2066// admin\u2069 \u2066") {\nconst a${tags('run it')} = 1;\nlet b\u200B = 2;\n`,
        'b.md': 'soft\u00ADhyphen\n',
      },
    ),
  ).toEqual([
    'a.ts:2 high This line has 4 hidden characters: U+202E (right-to-left override), U+2066 (left-to-right isolate), U+2069 (pop directional isolate). What is shown is in another order than what a program reads.',
    'a.ts:3 high This line has 6 hidden characters: U+E0072 (tag), U+E0075 (tag), U+E006E (tag), U+E0020 (tag), U+E0069 (tag), U+E0074 (tag). Read as letters they spell: "run it".',
    'a.ts:4 medium This line has 1 hidden character: U+200B (zero width space).',
    'b.md:1 low This line has 1 hidden character: U+00AD (soft hyphen).',
  ]);
});

test('emoji, flags, joined scripts, a byte order mark, form feeds and old lines are ignored', async () => {
  const england = `\u{1F3F4}${tags('gbeng')}\u{E007F}`;
  const text = `\uFEFFfirst\nfamily 👨‍👩‍👧 heart ❤️ ${england}\nक्‍ष می‌خواهم\n\f\nlast\n`;
  expect(await found({ 'b.ts': 'a\u200B\n' }, { 'a.ts': text, 'b.ts': 'a\u200B\nb\n' })).toEqual([]);
});

test('hidden characters on many lines of a file are one finding; alarming ones keep theirs', async () => {
  const soft = (count: number) => Array.from({ length: count }, (_, at) => `w\u200Bord ${at}\n`).join('');
  expect(await found({}, { 'a.ts': soft(3), 'b.ts': `${soft(2)}x\u202Ey\n${soft(22)}` })).toEqual([
    ...[1, 2, 3].map(
      (line) => `a.ts:${line} medium This line has 1 hidden character: U+200B (zero width space).`,
    ),
    'b.ts:1 medium Lines 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 4 more have hidden characters: U+200B (zero width space).',
    'b.ts:3 high This line has 1 hidden character: U+202E (right-to-left override). What is shown is in another order than what a program reads.',
  ]);
});
