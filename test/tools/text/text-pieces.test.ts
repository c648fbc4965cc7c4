import { describe, expect, test } from 'vitest';
import { lastLine, lineRange, readSlice } from '../../../src/tools/search/read-slice.ts';
import { asciiPunctuation } from '../../../src/tools/text/ascii-punctuation.ts';
import { frontMatter } from '../../../src/tools/text/front-matter.ts';
import { numberLines } from '../../../src/tools/text/number-lines.ts';
import {
  decodeTextFile,
  encodeTextFile,
  lineEndingOf,
  splitLines,
  withLineEndings,
} from '../../../src/tools/text/text-file.ts';
import { lineAt, textRange } from '../../../src/tools/text/text-range.ts';
import { isBinary } from '../../../src/workspace/files/is-binary.ts';

test('lines are selected by a range, by first and last, or by first and count', () => {
  const intended = (input: object) => {
    const range = lineRange(input);
    return [range.start, range.end, lastLine(range)];
  };
  const endless = Number.POSITIVE_INFINITY;
  expect([
    intended({}),
    intended({ start_line: 5 }),
    intended({ end_line: 7 }),
    intended({ start_line: 5, end_line: 7, limit: 1 }),
    intended({ start_line: 5, limit: 3 }),
    intended({ limit: 3 }),
    intended({ read_range: [5] }),
    intended({ read_range: [5, 7], start_line: 1, end_line: 2 }),
  ]).toEqual([
    [1, null, 1_000],
    [5, null, 1_004],
    [1, 7, 7],
    [5, 7, 7],
    [5, 7, 7],
    [1, 3, 3],
    [5, endless, endless],
    [5, 7, 7],
  ]);
});

test('lines are numbered up to the limit, and a long one is cut', () => {
  const long = (length: number) => numberLines(['x'.repeat(length)], 1, 9_999).text;
  expect([
    numberLines(['a', 'b'], 9, 99),
    numberLines(['a', 'b'], 1, 8),
    numberLines(['a', 'b'], 1, 7),
    numberLines(['é'], 1, 4),
    numberLines(['é'], 1, 3),
    numberLines(['a'], 1, 0),
    numberLines([], 3, 9),
    long(2_000),
    long(2_001),
  ]).toEqual([
    { text: '9\ta\n10\tb', end: 10, truncated: false },
    { text: '1\ta\n2\tb', end: 2, truncated: false },
    { text: '1\ta', end: 1, truncated: true },
    { text: '1\té', end: 1, truncated: true },
    { text: '1\t', end: 1, truncated: true },
    { text: '', end: 1, truncated: true },
    { text: '', end: 2, truncated: false },
    `1\t${'x'.repeat(2_000)}`,
    `1\t${'x'.repeat(2_000)} … [1 more characters]`,
  ]);
});

test('a part of a text is selected by lines or characters and names the next start', () => {
  const text = 'one\ntwo\nthree';
  const part = (requested: object, of = text) => {
    const range = textRange('f', of, { max_chars: 99, ...requested });
    return [range.text, range.note];
  };
  expect([
    part({}),
    part({ start_line: 2 }),
    part({ start_line: 2, line_count: 1 }),
    part({ line_count: 1 }),
    part({ line_count: 9 }),
    part({ start_char: 4 }),
    part({ start_char: 13 }),
    part({ max_chars: 5 }),
    part({ start_line: 2, line_count: 1, max_chars: 2 }),
    part({ max_chars: 1 }, '😀'),
    part({ max_chars: 2 }, 'a😀b'),
  ]).toEqual([
    [text, ''],
    ['two\nthree', '\n[characters 4-13 of 13]'],
    ['two\n', '\n[characters 4-8 of 13]'],
    ['one\n', '\n[characters 0-4 of 13]'],
    [text, ''],
    ['two\nthree', '\n[characters 4-13 of 13]'],
    ['', '\n[characters 13-13 of 13]'],
    ['one\nt', '\n[characters 0-5 of 13; cut by max_chars, continue with start_char 5]'],
    ['tw', '\n[characters 4-6 of 13; cut by max_chars, continue with start_char 6]'],
    ['😀', ''],
    ['a😀', '\n[characters 0-3 of 4; cut by max_chars, continue with start_char 3]'],
  ]);
  expect(() => part({ start_line: 4 })).toThrow('f has only 3 lines; the start lies past its end.');
  expect(() => part({ start_char: 14 })).toThrow('f has only 13 characters; the start lies past its end.');
});

describe('a range of a file', () => {
  const mebibyte = 1024 * 1024;
  /** The text read from a file, and whether it is remembered as read. */
  async function slice(content: string | Buffer, range: object = {}, maxBytes = mebibyte, kind = 'file') {
    const bytes = Buffer.from(content as string);
    const seen: unknown[] = [];
    const workspace = {
      files: {
        stat: async () => ({ kind }),
        read: async (_: string, most: number) => ({ bytes: bytes.subarray(0, most), size: bytes.length }),
        relative: (path: string) => `own/${path}`,
        list: async () =>
          Array.from({ length: Number(content) }, (_, index) => ({
            name: `n${index}`,
            kind: index === 0 ? 'directory' : 'file',
          })),
      },
      memory: { saw: (...given: unknown[]) => seen.push(given[0]) },
    };
    try {
      const { text, data } = await readSlice(workspace as never, 'a', lineRange(range), maxBytes);
      return { text, data, seen };
    } catch (error) {
      return (error as Error).message;
    }
  }
  const text = async (...given: Parameters<typeof slice>) => {
    const read = await slice(...given);
    return typeof read === 'string' ? read : read.text;
  };

  test('has line numbers, and a notice if readable lines are left', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `l${index + 1}`).join('\n');
    expect(await slice('one\ntwo\nthree\n', { end_line: 2 })).toEqual({
      text: '1\tone\n2\ttwo\n[lines 1-2 of 3]',
      data: {
        ...{ path: 'own/a', start_line: 1, end_line: 2, total_lines: 3, file_capped: false },
        truncated: false,
      },
      seen: ['own/a'],
    });
    expect([
      (await text(many)).split('\n').slice(-2),
      (await text(many, { limit: 1 })).split('\n'),
      await text('one\ntwo\n', {}, 8),
      await text('one\ntwo\n', { end_line: 2 }, 8),
      await text('', {}),
      await text('\ufeffone\r\ntwo'),
      await text(Buffer.from('caf\u00e9', 'latin1')),
      await text('one\n', { start_line: 2 }),
      await text('', { start_line: 2 }),
      await text('one\ntwo\n', { start_line: 2, end_line: 1 }),
      await text('\0'),
    ]).toEqual([
      ['1000\tl1000', '[lines 1-1000 of 1001; continue with start_line 1001]'],
      ['1\tl1', '[line 1 of 1001]'],
      '1\tone\n[line 1 of 2, cut by max_bytes; continue with start_line 2]',
      '1\tone\n[line 1 of 2, cut by max_bytes; continue with start_line 2]',
      '(the file is empty)',
      '1\tone\n2\ttwo',
      '1\tcafé\n[not valid UTF-8: shown as Latin-1, which an edit preserves]',
      'a has only 1 lines; line 2 is past its end.',
      'a has only 0 lines; line 2 is past its end.',
      'The range ends before it starts: 2 to 1.',
      'a is a binary file (1 bytes or more); read shows text only. Use bash with file, xxd or strings to look into it.',
    ]);
  });

  test("over 2 MiB comes from the file's beginning", async () => {
    const line = `${'x'.repeat(1_023)}\n`;
    const large = await slice(`${line.repeat(2_047)}${'y'.repeat(1_022)}€ more\nnext\n`, {
      start_line: 2_048,
    });
    if (typeof large === 'string') throw new Error(large);
    expect([large.seen, large.data.truncated, large.data.file_capped, large.text]).toEqual([
      [],
      true,
      true,
      `2048\t${'y'.repeat(1_022)}\n[only the first 2 MiB of the file can be read; use grep for the rest]`,
    ]);
    const lines = line.repeat(2_049);
    expect([
      await text(lines, { start_line: 2_049 }),
      (await text(lines, { start_line: 1_047 }, 8 * mebibyte)).split('\n').slice(-2),
    ]).toEqual([
      'a has only 2048 lines in its first 2 MiB; line 2049 is past its end.',
      [
        '[lines 1047-2046 of 2048 or more; continue with start_line 2047]',
        '[only the first 2 MiB of the file can be read; use grep for the rest]',
      ],
    ]);
  });

  test('of a folder lists up to fifty entries', async () => {
    const folder = (count: number) => text(String(count), {}, 9, 'directory');
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `n${index}${index === 0 ? '/' : ''}`).join(', ');
    const reply = (holds: string) =>
      `a is a directory, not a file. It holds: ${holds}. Read one of its files, or use glob.`;
    expect([await folder(0), await folder(50), await folder(52)]).toEqual([
      reply('nothing'),
      reply(names(50)),
      reply(`${names(50)} and 2 more`),
    ]);
  });
});

test('a file keeps its encoding and its byte order mark', () => {
  const latin = decodeTextFile('a', Buffer.from('caf\u00e9', 'latin1'));
  const marked = decodeTextFile('a', Buffer.from('\ufeffx'));
  const lone = { text: '\ud800', encoding: 'utf8', bom: false } as const;
  expect([latin, marked, encodeTextFile('a', latin), encodeTextFile('a', marked)]).toEqual([
    { text: 'café', encoding: 'latin1', bom: false },
    { text: 'x', encoding: 'utf8', bom: true },
    Buffer.from('caf\u00e9', 'latin1'),
    Buffer.from('\ufeffx'),
  ]);
  expect(() => encodeTextFile('a', { ...latin, text: '€' })).toThrow(
    'a is not UTF-8 (probably Latin-1), and the new text has characters it cannot hold. Convert the file first, or keep to Latin-1.',
  );
  expect(() => encodeTextFile('a', lone)).toThrow(
    'The change would leave half of a character (a lone surrogate) in a. Give whole characters.',
  );
  expect(() => decodeTextFile('a', Buffer.from('\0'))).toThrow(
    'a is a binary file; it cannot be edited as text.',
  );
  const late = Buffer.concat([Buffer.alloc(8_000, 'x'), Buffer.from([0])]);
  expect([isBinary(late), isBinary(late.subarray(1))]).toEqual([false, true]);
});

test('lines are split and joined with the majority line ending of a file', () => {
  expect([
    ['', 'a', 'a\n', 'a\r\nb', '\n', 'a\rb\n'].map(splitLines),
    ['a\r\nb\r\nc\n', 'a\r\nb\n', 'a\n', ''].map(lineEndingOf),
    withLineEndings('a\r\nb\n', '\n'),
    withLineEndings('a\r\nb\n', '\r\n'),
    [0, 1, 2, 3].map((at) => lineAt('a\nb', at)),
  ]).toEqual([
    [[], ['a'], ['a'], ['a', 'b'], [''], ['a\rb']],
    ['\r\n', '\n', '\n', '\n'],
    'a\nb\n',
    'a\r\nb\r\n',
    [1, 1, 2, 2],
  ]);
});

test('each typographic character has a keyboard equivalent', () => {
  const codes = (...ranges: [number, number][]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at)),
    );
  const dashes = codes([0x2010, 0x2015], [0x2212, 0x2212]);
  const quotes = codes([0x2018, 0x201b]);
  const doubles = codes([0x201c, 0x201f]);
  const blanks = codes([0xa0, 0xa0], [0x2002, 0x200a], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000]);
  const others = codes(
    [0x200b, 0x200f],
    [0x2016, 0x2017],
    [0x2020, 0x2020],
    [0x2001, 0x2001],
    [0x3001, 0x3001],
  );
  const all = (given: string[], plain: string) => given.map((one) => [one, asciiPunctuation(one) === plain]);
  expect(
    [...all(dashes, '-'), ...all(quotes, "'"), ...all(doubles, '"'), ...all(blanks, ' ')].filter(
      ([, is]) => !is,
    ),
  ).toEqual([]);
  expect(others.map(asciiPunctuation)).toEqual(others);
});

test.for([
  ['x', {}, 'x'],
  ['---\na: 1\n---\n\nx', { a: 1 }, 'x'],
  ['\ufeff--- \r\na: 1\r\n... \r\nx', { a: 1 }, 'x'],
  ['---\n---\nx', {}, 'x'],
  ['---\n- a\n---\nx', null, 'x'],
  ['---\n7\n---\nx', null, 'x'],
  ['---\na: b: c\n# d\n\nname-x:  y \n---\nx', { a: 'b: c', 'name-x': 'y' }, 'x'],
  ['---\na: b: c\n- d\n---\nx', null, 'x'],
  ['---\na: 1\nx', null, '---\na: 1\nx'],
  ['----\na: 1\n---\n', {}, '----\na: 1\n---\n'],
  [' ---\na: 1\n---\n', {}, ' ---\na: 1\n---\n'],
] as const)('%j has the front matter %j', ([text, fields, body]) => {
  expect(frontMatter(text)).toEqual({ fields, body });
});

test('front matter has at most 8,000 characters', () => {
  const head = (length: number) => frontMatter(`---\n#${'x'.repeat(length)}\n---\nx`).fields;
  expect([head(7_995), head(7_996)]).toEqual([{}, null]);
});
