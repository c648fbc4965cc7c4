import { describe, expect, test } from 'vitest';
import { collectLines, joinLines } from '../../../src/tools/search/collect-lines.ts';
import {
  aroundMatch,
  displayPath,
  type FoundLine,
  fitLines,
  renderFoundLines,
} from '../../../src/tools/search/found-line.ts';
import { parseGrep, parseRipgrep } from '../../../src/tools/search/text-programs.ts';
import { droppedNotes, isTruncated, type TextResult } from '../../../src/tools/search/text-query.ts';

const line = (path: string, number: number, more: Partial<FoundLine> = {}): FoundLine => ({
  ...{ path, line: number, text: `l${number}`, match: true },
  ...more,
});
const query = {
  ...{ pattern: 'x', regex: false, caseSensitive: false, wordMatch: false, glob: undefined },
  ...{ maxMatches: 2, context: 1 },
};

describe('printed lines', () => {
  test('of a ripgrep message are as many as it has', () => {
    const message = (type: string, text: string, more: object = {}) =>
      JSON.stringify({
        type,
        data: { path: { text: './a.ts' }, lines: { text }, line_number: 3, submatches: [], ...more },
      });
    expect([
      parseRipgrep(message('match', 'one\r\ntwo\r\n')),
      parseRipgrep(message('context', 'one\ntwo')),
      parseRipgrep(message('match', '', { lines: { bytes: Buffer.from('é\n').toString('base64') } })),
      parseRipgrep(message('begin', 'x')),
      parseRipgrep('{"type":"match","data":'),
      parseRipgrep('{"type":"context","data":'),
      parseRipgrep('other'),
    ]).toEqual([
      [
        { path: 'a.ts', line: 3, text: 'one', match: true },
        { path: 'a.ts', line: 4, text: 'two', match: true, continued: true },
      ],
      [
        { path: 'a.ts', line: 3, text: 'one', match: false },
        { path: 'a.ts', line: 4, text: 'two', match: false },
      ],
      [{ path: 'a.ts', line: 3, text: 'é', match: true }],
      [],
      null,
      [],
      [],
    ]);
  });

  test('of ripgrep are cut around the match, by bytes', () => {
    const text = `${'é'.repeat(300)}needle${'x'.repeat(300)}\nsecond`;
    const message = {
      type: 'match',
      data: { path: { text: 'a' }, lines: { text }, line_number: 1, submatches: [{ start: 600, end: 606 }] },
    };
    expect(parseRipgrep(JSON.stringify(message))?.map((one) => one.text)).toEqual([
      `[200 characters] … ${'é'.repeat(100)}needle${'x'.repeat(194)} … [106 more characters]`,
      'second',
    ]);
  });

  test.for([
    ['./a.ts\u00007:one:two\r', { path: 'a.ts', line: 7, text: 'one:two', match: true }],
    ['a.ts\u000012-one', { path: 'a.ts', line: 12, text: 'one', match: false }],
    ['././a.ts\u00007\u00003\0one', { path: 'a.ts', line: 7, text: 'one', match: true }],
    ['a.ts\u00007\0one', { path: 'a.ts', line: 7, text: 'one', match: false }],
    ['a-7-b:8:c\u00001:\0', { path: 'a-7-b:8:c', line: 1, text: '\0', match: true }],
  ] as const)('of grep include %j', ([record, found]) => {
    expect(parseGrep(record)).toEqual([found]);
  });

  test.for(['--', 'a.ts:7:one', 'a.ts\0x:one', '\u00007:one'])('of grep do not include %j', (record) => {
    expect(parseGrep(record)).toEqual([]);
  });

  test("of git have the match's position from the column", () => {
    const [found] = parseGrep(`a\u00001\u0000401\0${'x'.repeat(400)}y${'x'.repeat(400)}`);
    expect(found?.text).toBe(
      `[300 characters] … ${'x'.repeat(100)}y${'x'.repeat(199)} … [201 more characters]`,
    );
  });
});

test('over 300 characters are cut around the match', () => {
  const at = (length: number, index: number) =>
    aroundMatch('x'.repeat(length), index).replaceAll(/x+/g, (run) => `<${run.length}>`);
  expect([
    at(300, 299),
    at(301, 0),
    at(301, 300),
    at(1_000, 100),
    at(1_000, 101),
    at(1_000, 900),
    at(1_000, 700),
  ]).toEqual([
    '<300>',
    '<300> … [1 more characters]',
    '[1 characters] … <300>',
    '<300> … [700 more characters]',
    '[1 characters] … <300> … [699 more characters]',
    '[700 characters] … <300>',
    '[600 characters] … <300> … [100 more characters]',
  ]);
});

describe('the collected lines', () => {
  /** The answer of one place that printed these lines. */
  const gathered = (lines: readonly FoundLine[], more: Partial<typeof query> = {}, keep = () => true) => {
    const all = collectLines({ ...query, ...more }, keep);
    all.add(lines);
    return all.result();
  };

  test('are sorted, with the requested number of matches of a file and the lines around them', () => {
    const context = { match: false };
    const given = [
      ...[line('b', 1), line('a', 9, context), line('a', 1, context), line('a', 2), line('a', 3, context)],
      ...[line('a', 5), line('a', 6), line('a', 7), line('a', 8)],
    ];
    const { lines, capped } = gathered(given);
    expect([lines.map((one) => `${one.path}${one.line}${one.match ? ':' : '-'}`), capped]).toEqual([
      ['a1-', 'a2:', 'a3-', 'a5:', 'a6-', 'b1:'],
      ['a'],
    ]);
  });

  test('include a multi-line match whole, also at the limit', () => {
    const continued = { continued: true as const };
    const given = [
      line('a', 1),
      line('a', 2, continued),
      line('a', 4),
      line('a', 5, continued),
      line('a', 7),
    ];
    const displayed = (maxMatches: number) => {
      const { lines, capped } = gathered(given, { maxMatches, context: 0 });
      return [lines.map((one) => one.line), capped];
    };
    expect([displayed(1), displayed(2), displayed(3)]).toEqual([
      [[1, 2], ['a']],
      [[1, 2, 4, 5], ['a']],
      [[1, 2, 4, 5, 7], []],
    ]);
  });

  test('exclude credential paths, which are named, and files that the caller excludes', () => {
    const all = collectLines(query, (path) => path !== 'no');
    expect([
      all.add([line('.netrc', 1), line('no', 1), line('a', 1), line('.aws/credentials', 1)]),
      all.add(null),
    ]).toEqual([true, true]);
    expect(all.result()).toEqual({
      ...{ lines: [line('a', 1)], capped: [], hasLongLine: true, excluded: ['.aws/credentials', '.netrc'] },
      ...{ problems: [], overflowed: false },
    });
  });

  test('have at most 8 MiB', () => {
    const all = collectLines({ ...query, maxMatches: 9 }, () => true);
    const big = { text: 'x'.repeat(8 * 1024 * 1024 - 9) };
    expect([all.add([line('a', 1, big)]), all.result().overflowed]).toEqual([true, false]);
    expect([
      all.add([line('a', 2)]),
      all.result().overflowed,
      all.add([line('a', 3)]),
      all.result().lines.length,
    ]).toEqual([true, true, false, 2]);
  });
});

test('the answers of several search roots are joined, cut at 256 KiB, and further matches counted', () => {
  const place = { capped: [], hasLongLine: false, excluded: [], problems: [], overflowed: false };
  const big = 'x'.repeat(128 * 1024 - 9);
  const lines = [
    ...[
      line('a', 1, { text: big }),
      line('a', 2, { text: big }),
      line('a', 3),
      line('a', 4, { match: false }),
    ],
    line('a', 5, { continued: true }),
  ];
  const first = { ...place, lines, capped: ['a'], excluded: ['b'], problems: ['c'] };
  const second = {
    ...place,
    lines: [line('d', 1)],
    hasLongLine: true,
    capped: ['d'],
    excluded: ['e'],
    problems: ['f'],
  };
  const joined = joinLines([first, second], false);
  expect({ ...joined, lines: joined.lines.map((one) => one.line) }).toEqual({
    ...{ lines: [1, 2], dropped: 2, unfinished: null, hasLongLine: true },
    ...{ capped: ['a', 'd'], excluded: ['b', 'e'], problems: ['c', 'f'] },
  });
  const flooded = { ...place, lines: [], overflowed: true };
  expect([
    joinLines([{ ...place, lines: [] }, flooded], false).unfinished,
    joinLines([flooded], true).unfinished,
    joinLines([{ ...place, lines: [] }], true).unfinished,
    joinLines([{ ...place, lines: [] }], false).hasLongLine,
  ]).toEqual(['size', 'time', 'time', false]);
});

const whole: TextResult = {
  ...{ lines: [], dropped: 0, unfinished: null, hasLongLine: false, capped: [], excluded: [], problems: [] },
};

test.for<[Partial<TextResult>, number, string[]]>([
  [{}, 50, []],
  [
    { capped: ['a', 'b'] },
    50,
    ['[more than 50 matches, of which the first are shown, in: a, b; raise max_matches]'],
  ],
  [{ capped: ['a'] }, 1, ['[more than 1 match, of which the first are shown, in: a; raise max_matches]']],
  [
    { dropped: 1 },
    50,
    ['[1 more match beyond 256 KiB of output left out; narrow the pattern, path or glob]'],
  ],
  [
    { dropped: 2 },
    50,
    ['[2 more matches beyond 256 KiB of output left out; narrow the pattern, path or glob]'],
  ],
  [
    { dropped: 2, unfinished: 'size' },
    50,
    ['[stopped after 8 MiB of matches, 256 KiB of them shown; narrow the pattern, path or glob]'],
  ],
  [
    { unfinished: 'time' },
    50,
    ['[stopped after 60 seconds, before everything was searched; narrow the pattern, path or glob]'],
  ],
  [
    { hasLongLine: true },
    50,
    ['[there is a match in a line of over 4 MiB, which is not shown; look with bash]'],
  ],
  [
    { excluded: ['a', 'b', 'c', 'd', 'e'] },
    50,
    ['[matches not shown, because credentials are kept there: a, b, c, d, e]'],
  ],
  [
    { excluded: ['a', 'b', 'c', 'd', 'e\n', 'f', 'g'] },
    50,
    ['[matches not shown, because credentials are kept there: a, b, c, d, "e\\n" and 2 more]'],
  ],
  [{ changed: 0 }, 50, []],
  [{ changed: 3 }, 50, ['[lines not shown, because their files changed during the search: 3]']],
  [{ problems: ['x', 'y'] }, 50, ['[not searched: x]', '[not searched: y]']],
])('%j with %i matches is reported as %j', ([more, maxMatches, notes]) => {
  const result = { ...whole, ...more };
  expect([droppedNotes(result, { maxMatches }), isTruncated(result)]).toEqual([notes, notes.length > 0]);
});

test('lines are printed in the format of grep, with separated groups if there is context', () => {
  const lines = [line('a', 1), line('a', 2, { match: false }), line('a', 4), line('b', 5), line('b', 6)];
  const grouped = ['a:1:l1', 'a-2-l2', '--', 'a:4:l4', '--', 'b:5:l5', 'b:6:l6'];
  expect([renderFoundLines(lines, 1).split('\n'), renderFoundLines(lines, 0).split('\n')]).toEqual([
    grouped,
    grouped.filter((one) => one !== '--'),
  ]);
});

test('lines up to the limit are displayed, at least one, and omitted matches are counted by file', () => {
  const lines = [
    ...[line('a', 1), line('a', 2), line('b', 3, { match: false }), line('b', 4)],
    ...[line('b', 5, { continued: true }), line('b', 6), line('c', 7)],
  ];
  const fitted = (characters: number) => {
    const { shown, left } = fitLines(lines, characters);
    return [shown.length, Object.fromEntries(left)];
  };
  expect([fitted(1), fitted(22), fitted(21), fitted(77), fitted(76)]).toEqual([
    [1, { a: 1, b: 2, c: 1 }],
    [2, { b: 2, c: 1 }],
    [1, { a: 1, b: 2, c: 1 }],
    [7, {}],
    [6, { c: 1 }],
  ]);
});

test('a path with a control character is quoted', () => {
  expect(['a b', 'a\nb', 'a\u001fb', 'a\u007fb', 'a\u0000', 'é\u0080'].map(displayPath)).toEqual([
    ...['a b', '"a\\nb"', '"a\\u001fb"', '"a\u007fb"', '"a\\u0000"', 'é\u0080'],
  ]);
});
