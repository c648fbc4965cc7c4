import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import type { Hunk, HunkPosition } from '../../../src/tools/patch/file-patch.ts';
import { locateHunk } from '../../../src/tools/patch/locate-hunk.ts';
import { type FuzzyMatch, locateWithFuzz } from '../../../src/tools/patch/patch.ts';
import { searchedLines } from '../../../src/tools/patch/searched-lines.ts';

/** A hunk of lines as they stand in a patch, a mark before each. */
function hunk(text: string, more: Partial<Hunk> = {}): Hunk {
  const lines = text.split('|').map((line) => ({ mark: line[0] as ' ' | '-' | '+', text: line.slice(1) }));
  return { label: '@@', lines, line: null, locators: [], atEnd: false, finalNewline: null, ...more };
}

const first: HunkPosition = { from: 0, shift: 0, number: 1, count: 1 };

/** The position and the shift of a match, or the message of the error. */
function locate(file: string, wanted: Hunk, at: Partial<HunkPosition> = {}): unknown {
  try {
    const { place, shift } = locateHunk('a.ts', searchedLines('a.ts', file.split('|')), wanted, {
      ...first,
      ...at,
    });
    return [place, shift];
  } catch (error) {
    return `${(error as ToolError).kind}: ${(error as Error).message}`;
  }
}

describe('the position of a hunk', () => {
  test.each([
    ['a|b|c', hunk(' b|-c'), {}, [1, 0]],
    ['a|b|c', hunk(' b|+x|-c', { line: 1 }), {}, [1, 1]],
    ['b|a|b', hunk('-b', { line: 3 }), {}, [2, 0]],
    ['b|a|b', hunk('-b', { line: 1 }), {}, [0, 0]],
    ['b|a|b', hunk('-b', { line: 1 }), { from: 1 }, [2, 2]],
    ['x|b|a|b', hunk('-b', { line: 1 }), { shift: 1 }, [1, 1]],
    ['b|a|b', hunk('-b', { atEnd: true }), {}, [2, 0]],
    ['b|a|b', hunk('-b', { atEnd: true, line: 1 }), {}, [2, 2]],
    ['a|b  |c', hunk('-b'), {}, [1, 0]],
    ['a|  b|c', hunk('-b'), {}, [1, 0]],
    ['b  |b', hunk('-b'), {}, [1, 0]],
    ['a|“b”|c', hunk('-"b"'), {}, [1, 0]],
    ['a|e\u0301', hunk('-\u00e9'), {}, [1, 0]],
    ['a|b', hunk('-b\r'), {}, [1, 0]],
    ['a|b', hunk('-b'), { shift: 4 }, [1, 4]],
    ['f|b|g|b', hunk('-b', { locators: ['g'] }), {}, [3, 0]],
    ['f|g|h|b|g', hunk('-b', { locators: ['f', 'g'] }), {}, [3, 0]],
    ['f|x|f', hunk(' f|-x', { locators: ['f'] }), {}, [0, 0]],
    ['f|b|f|c|b', hunk(' f|-c', { locators: ['f'] }), {}, [2, 0]],
  ])('in %j is found', (file, wanted, at, expected) => {
    expect(locate(file, wanted, at)).toEqual(expected);
  });

  test.each([
    ['a|b', hunk('+x'), {}, [2, 0]],
    ['a|b', hunk('+x', { line: 1 }), {}, [1, 0]],
    ['a|b', hunk('+x', { line: 0 }), { shift: 2 }, [2, 2]],
    ['a|b', hunk('+x', { line: 1, atEnd: true }), {}, [2, 1]],
    ['a|b', hunk('+x', { locators: [' a '] }), {}, [1, 0]],
    ['a|b', hunk('+x', { locators: ['a'], atEnd: true }), {}, [2, 0]],
    ['a|b|a ', hunk('+x', { locators: ['a'] }), {}, [1, 0]],
  ])('in %j with only added lines is after its locator, its line or at the end', (file, wanted, at, expected) => {
    expect(locate(file, wanted, at)).toEqual(expected);
  });

  test.each([
    [
      'b|a|b',
      hunk('-b'),
      {},
      'ambiguous: The hunk "@@" fits 2 places in a.ts, at lines 1, 3. Nothing was changed. Add lines of context until it fits one.',
    ],
    [
      'b|b|b|b|b|b|b|b|b|b|b|b',
      hunk('-b', { label: '@@ x' }),
      { number: 2, count: 3 },
      'ambiguous: Hunk 2 of 3 ("@@ x") fits 12 places in a.ts, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. Nothing was changed. Add lines of context until it fits one.',
    ],
    [
      'a|a',
      hunk('+x', { locators: ['a'] }),
      {},
      'ambiguous: The hunk "@@" fits 2 places in a.ts, at lines 1, 2. Nothing was changed. Add lines of context until it fits one.',
    ],
    [
      'a|b',
      hunk('+x', { line: 3 }),
      {},
      'not_found: The hunk "@@" adds lines after line 3, but a.ts has 2 lines. Give it lines of context.',
    ],
    [
      'a|b',
      hunk('+x', { line: 0 }),
      { from: 1 },
      'not_found: The hunk "@@" adds lines after line 0, but a.ts has 2 lines. Give it lines of context.',
    ],
    [
      'one|two|three',
      hunk('-one', { locators: ['zzzz', 'y'] }),
      {},
      'not_found: The hunk "@@" is to be found by "@@ zzzz", "@@ y", but a.ts has no such line. Nothing there is like it.\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'class Alpha {|two',
      hunk('+x', { locators: ['class Alpha'] }),
      { from: 1 },
      'not_found: The hunk "@@" is to be found by "@@ class Alpha", but a.ts has no such line below line 1. The nearest lines are:\n1\tclass Alpha {\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'a|b|c|d',
      hunk(' a|-x|+b| c'),
      {},
      'not_found: The hunk "@@" does not fit a.ts. Its result is already at line 1: was it applied before? The first line that differs: the patch has "x" where line 2 is "b". The lines there:\n1\ta\n2\tb\n3\tc\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'a|b|c',
      hunk(' b| c|-d'),
      {},
      'not_found: The hunk "@@" does not fit a.ts. The first line that differs: the patch has "d" where the file ends. The lines there:\n2\tb\n3\tc\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'a|b|c',
      hunk('-b'),
      { from: 2 },
      'not_found: The hunk "@@" does not fit a.ts. Its lines stand at line 2, above the hunk before; give the hunks in the order of the file.\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'a|b|c',
      hunk('-b', { atEnd: true }),
      {},
      'not_found: The hunk "@@" does not fit a.ts. Its lines stand at line 2, which is not the end of the file.\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'b|g|c',
      hunk('-b', { locators: ['g'] }),
      {},
      'not_found: The hunk "@@" does not fit a.ts. Its lines stand at line 1, not below its @@ line.\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      'one|two',
      hunk('-zzzz'),
      {},
      'not_found: The hunk "@@" does not fit a.ts. Nothing there is like it.\nNothing was changed. Read the file and make the patch from its exact lines.',
    ],
    [
      `a|${'x'.repeat(201)}`,
      hunk(`-a|-${'y'.repeat(200)}`),
      {},
      `not_found: The hunk "@@" does not fit a.ts. The first line that differs: the patch has "${'y'.repeat(200)}" where line 2 is "${'x'.repeat(200)}…". The lines there:\n1\ta\n2\t${'x'.repeat(201)}\nNothing was changed. Read the file and make the patch from its exact lines.`,
    ],
  ])('in %j is refused with the text found there', (file, wanted, at, expected) => {
    expect(locate(file, wanted, at)).toBe(expected);
  });

  test('is reported with at most twelve lines around the first difference', () => {
    const names = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const wanted = hunk(names.map((name, index) => ` ${index === 19 ? 'other' : name}`).join('|'));
    const displayed = String(locate(names.join('|'), wanted))
      .split('\n')
      .slice(1, -1);
    expect(displayed).toEqual(names.slice(13, 25).map((name, index) => `${index + 14}\t${name}`));
  });
});

describe('the position of a hunk by the rules of patch(1)', () => {
  const fuzzy = (
    file: string,
    wanted: Hunk,
    { most = 2, ...at }: Partial<HunkPosition> & { most?: number } = {},
  ) => {
    const reported: FuzzyMatch[] = [];
    try {
      const place = locateWithFuzz(most, (one) => reported.push(one))(
        'a.ts',
        searchedLines('a.ts', file.split('|')),
        wanted,
        { ...first, ...at },
      );
      const [one] = reported;
      return [
        place.place,
        place.lines.map(({ mark, text }) => mark + text).join('|'),
        place.shift,
        one?.fuzz,
        one?.offset,
        reported.length,
        one?.path,
        one?.number,
      ];
    } catch (error) {
      return `${(error as ToolError).kind}: ${(error as Error).message.split('\n')[0]}`;
    }
  };
  const last = [1, 'a.ts', 1];

  test.each([
    ['a|b|c', hunk(' a|-b| c', { line: 1 }), {}, [0, ' a|-b| c', 0, 0, 0, ...last]],
    ['x|y|a|b|c', hunk(' a|-b| c', { line: 1 }), {}, [2, ' a|-b| c', 2, 0, 2, ...last]],
    ['a|b|c|x|a|b|c', hunk(' a|-b| c', { line: 4 }), {}, [4, ' a|-b| c', 1, 0, 1, ...last]],
    ['a|b|c|x|a|b|c', hunk(' a|-b| c', { line: 2 }), {}, [0, ' a|-b| c', -1, 0, -1, ...last]],
    ['a|b|c|x|a|b|c', hunk(' a|-b| c', { line: 2 }), { from: 1 }, [4, ' a|-b| c', 3, 0, 3, ...last]],
    ['x|a|b|c', hunk(' a|-b| c', { line: 1 }), { shift: 1 }, [1, ' a|-b| c', 1, 0, 1, ...last]],
    ['x|b|c', hunk(' a|-b| c', { line: 1 }), {}, [1, '-b', 0, 1, 0, ...last]],
    ['q|y|b|w|q', hunk(' a| y|-b| w| d', { line: 1 }), {}, [1, ' y|-b| w', 0, 1, 0, ...last]],
    ['q|q|b|q|q', hunk(' a| y|-b| w| d', { line: 1 }), {}, [2, '-b', 0, 2, 0, ...last]],
    ['q|y|b|w', hunk(' a| y|-b| w', { line: 1 }), {}, [1, ' y|-b| w', 0, 1, 0, ...last]],
    ['a|b', hunk('-b'), {}, [1, '-b', 0, 0, 0, ...last]],
    ['a|b', hunk('-b'), { shift: 3 }, [1, '-b', 3, 0, 0, ...last]],
    ['a|b', hunk('+x'), { shift: 3 }, [2, '+x', 3, 0, 0, ...last]],
    ['a|b', hunk('+x', { line: 1 }), {}, [1, '+x', 0, 0, 0, ...last]],
    ['a|b', hunk('+x', { line: 0 }), { shift: 1 }, [1, '+x', 1, 0, 1, ...last]],
    ['a|b\r'.replace('\r', ''), hunk('-b\r', { line: 2 }), {}, [1, '-b\r', 0, 0, 0, ...last]],
    ['b|b', hunk('-b', { atEnd: true }), {}, [1, '-b', 0, 0, 0, ...last]],
    ['b|a|b|a', hunk('-b| a', { line: 1 }), {}, [0, '-b| a', 0, 0, 0, ...last]],
    ['b|a|b|a', hunk('-b| a', { line: 3 }), {}, [2, '-b| a', 0, 0, 0, ...last]],
  ])('in %j', (file, wanted, at, expected) => {
    expect(fuzzy(file, wanted, at)).toEqual(expected);
  });

  test.each([
    [
      'b|x|b',
      hunk('-b', { line: 2 }),
      {},
      'ambiguous: The hunk "@@" fits 2 places in a.ts, at lines 1, 3. Nothing was changed. Add lines of context until it fits one.',
    ],
    [
      'b|x|b',
      hunk('-b'),
      {},
      'ambiguous: The hunk "@@" fits 2 places in a.ts, at lines 1, 3. Nothing was changed. Add lines of context until it fits one.',
    ],
    [
      'x|b|c',
      hunk(' a|-b| c', { line: 1 }),
      { most: 0 },
      'not_found: The hunk "@@" does not fit a.ts. The first line that differs: the patch has "a" where line 1 is "x". The lines there:',
    ],
    [
      'x|y',
      hunk(' a|+b| c', { line: 1 }),
      {},
      'not_found: The hunk "@@" does not fit a.ts. Nothing there is like it.',
    ],
    [
      'a|b|z',
      hunk(' a|-b', { line: 1 }),
      { most: 0 },
      'not_found: The hunk "@@" does not fit a.ts. Its lines stand at line 1, not below its @@ line. With fewer lines after its change than before, a hunk belongs to the end of the file.',
    ],
    [
      'z|b|a',
      hunk('-b| a', { line: 1 }),
      { most: 0 },
      'not_found: The hunk "@@" does not fit a.ts. Its lines stand at line 2, not below its @@ line.',
    ],
  ])('in %j is refused', (file, wanted, at, expected) => {
    expect(fuzzy(file, wanted, at)).toBe(expected);
  });
});
