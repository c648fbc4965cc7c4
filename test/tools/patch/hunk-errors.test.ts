import { describe, expect, test } from 'vitest';
import type { Hunk, HunkPosition } from '../../../src/tools/patch/file-patch.ts';
import { hunkErrors } from '../../../src/tools/patch/hunk-errors.ts';

/** A hunk of lines as they stand in a patch, a mark before each. */
const hunk = (text: string, more: Partial<Hunk> = {}): Hunk => ({
  label: '@@ -1 +1 @@',
  lines: text.split('|').map((line) => ({ mark: line[0] as ' ' | '-' | '+', text: line.slice(1) })),
  line: null,
  locators: [],
  atEnd: false,
  finalNewline: null,
  ...more,
});
const only: HunkPosition = { from: 0, shift: 0, number: 1, count: 1 };
const advice = 'Nothing was changed. Read the file and make the patch from its exact lines.';

/** The error of a hunk that fits nowhere, without its constant text. */
function notFound(file: readonly string[], wanted: Hunk, at: Partial<HunkPosition> = {}): string {
  const old = wanted.lines.filter(({ mark }) => mark !== '+').map(({ text }) => text);
  const error = hunkErrors('a.ts', file, wanted, { ...only, ...at }).notFound(old);
  const [, reply] = /^The hunk "@@ -1 \+1 @@" does not fit a\.ts\. (.*)$/s.exec(error.message) ?? [];
  return `${error.kind}: ${reply?.replace(`\n${advice}`, '')}`;
}

describe('a hunk that was already applied', () => {
  const applied = (at: number) => `Its result is already at line ${at}: was it applied before?`;
  test.each([
    [['q', 'a', 'b'], hunk(' a|-x|+b'), true, 2],
    [['q', 'a', 'b'], hunk('-x|+a|+b'), true, 2],
    // Carriage returns of the patch are none of the file's lines.
    [['a', 'b'], hunk(' a|-x|+b\r'), true, 1],
    [['a', 'c\rb'], hunk(' a|-x|+c\rb'), true, 1],
    // One line alone stands in many files.
    [['q', 'b'], hunk('-x|+b'), false, 0],
    // Without added lines its result would be the existing text.
    [['a', 'b'], hunk(' a| b|-x'), false, 0],
    [['a', 'q'], hunk(' a|-x|+b'), false, 0],
  ])('%j %#', (file, wanted, reported, at) => {
    const replyText = notFound(file, wanted);
    expect(replyText.includes('applied before')).toBe(reported);
    if (reported) expect(replyText).toContain(applied(at));
  });

  test('is searched for with at most five million comparisons', () => {
    const added = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
    const wanted = hunk(['-x', ...added.map((text) => `+${text}`)].join('|'));
    const file = (count: number) => [...new Array<string>(count).fill('q'), ...added];
    expect([notFound(file(500), wanted), notFound(file(501), wanted)]).toEqual([
      expect.stringContaining(applied(501)),
      'not_found: Nothing there is like it.',
    ]);
  });
});

describe('the first line that differs', () => {
  test.each([
    // Blank lines that are equal do not make a place.
    [['', 'z'], hunk(' |-q'), 'not_found: Nothing there is like it.'],
    [
      ['', 'a', '  b ', 'c'],
      hunk(' a|-b  |-x'),
      'not_found: The first line that differs: the patch has "x" where line 4 is "c". The lines there:\n2\ta\n3\t  b \n4\tc',
    ],
    // The place with the most equal lines, and the first of those.
    [
      ['a', 'q', 'a', 'b', 'r', 'a', 'b', 's'],
      hunk(' a| b|-x'),
      'not_found: The first line that differs: the patch has "x" where line 5 is "r". The lines there:\n3\ta\n4\tb\n5\tr',
    ],
    // A blank line counts for nothing where one place has one more of them.
    [
      ['a', 'q', 'x', 'a', '', 'y'],
      hunk(' a| |-z'),
      'not_found: The first line that differs: the patch has "" where line 2 is "q". The lines there:\n1\ta\n2\tq\n3\tx',
    ],
    [
      ['a'],
      hunk(' a|-b'),
      'not_found: The first line that differs: the patch has "b" where the file ends. The lines there:\n1\ta',
    ],
  ])('%j', (file, wanted, expected) => {
    expect(notFound(file, wanted)).toBe(expected);
  });

  test("is displayed with the hunk's lines before it and none after it", () => {
    const names = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const wanted = hunk(
      names
        .slice(2, 9)
        .map((name, index) => ` ${index === 6 ? 'x' : name}`)
        .join('|'),
    );
    const displayed = notFound(names, wanted).split('\n').slice(1);
    expect(displayed).toEqual(names.slice(2, 9).map((name, index) => `${index + 3}\t${name}`));
  });

  test('is displayed in at most 4,000 bytes', () => {
    const replies = notFound(
      ['a', 'y'.repeat(1900), 'y'.repeat(1900), 'y'.repeat(1900)],
      hunk(' a|-q|-r|-s'),
    );
    expect(replies.split('\n').map((line) => line.slice(0, 2))).toEqual(['no', '1\t', '2\t', '3\t']);
    const edge = (length: number) =>
      notFound(['a', 'y'.repeat(1980), 'y'.repeat(length)], hunk(' a|-q|-r')).split('\n').length;
    // Four bytes of the first, 1,983 of the second with its number, tab and newline.
    expect([edge(1990), edge(2000)]).toEqual([4, 4]);
  });
});

test('lines of a locator are compared one by one with the nearest', () => {
  const error = hunkErrors('a.ts', ['class Alpha {', 'x'], hunk('+y', { locators: ['class Alpha', 'zz'] }), {
    ...only,
    number: 2,
    count: 3,
    from: 4,
  }).locatorMissing();
  expect([error.kind, error.message]).toEqual([
    'not_found',
    `Hunk 2 of 3 ("@@ -1 +1 @@") is to be found by "@@ class Alpha", "@@ zz", but a.ts has no such line below line 4. The nearest lines are:\n1\tclass Alpha {\n2\tx\n${advice}`,
  ]);
});
