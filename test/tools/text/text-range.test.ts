import { expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import { type TextRangeInput, textRange } from '../../../src/tools/text/text-range.ts';

const text = 'one\ntwo\n\nfour';
const read = (requested: Partial<TextRangeInput>, whole = text) => {
  try {
    const { text: part, note, data } = textRange('notes.md', whole, { max_chars: 100, ...requested });
    return [part, note, data.start_char, data.end_char, data.total_chars];
  } catch (error) {
    return `${(error as ToolError).kind}: ${(error as Error).message}`;
  }
};

test.each([
  [{}, [text, '', 0, 13, 13]],
  [{ start_line: 1 }, [text, '', 0, 13, 13]],
  [{ start_line: 2 }, ['two\n\nfour', '\n[characters 4-13 of 13]', 4, 13, 13]],
  [{ line_count: 1 }, ['one\n', '\n[characters 0-4 of 13]', 0, 4, 13]],
  [{ start_line: 2, line_count: 2 }, ['two\n\n', '\n[characters 4-9 of 13]', 4, 9, 13]],
  [{ start_line: 4, line_count: 9 }, ['four', '\n[characters 9-13 of 13]', 9, 13, 13]],
  // With a start in the middle of a line its rest counts as one.
  [{ start_char: 5 }, ['wo\n\nfour', '\n[characters 5-13 of 13]', 5, 13, 13]],
  [{ start_char: 13 }, ['', '\n[characters 13-13 of 13]', 13, 13, 13]],
  [{ start_char: 3, line_count: 1 }, ['one\n', '\n[characters 0-4 of 13]', 0, 4, 13]],
  [
    { max_chars: 5 },
    ['one\nt', '\n[characters 0-5 of 13; cut by max_chars, continue with start_char 5]', 0, 5, 13],
  ],
  [{ start_line: 2, line_count: 1, max_chars: 4 }, ['two\n', '\n[characters 4-8 of 13]', 4, 8, 13]],
  [{ start_char: 14 }, 'invalid_input: notes.md has only 13 characters; the start lies past its end.'],
  [{ start_line: 5 }, 'invalid_input: notes.md has only 4 lines; the start lies past its end.'],
])('%j', (requests, expected) => {
  expect(read(requests)).toEqual(expected);
});

test('a surrogate pair is never cut in half', () => {
  expect([read({ max_chars: 2 }, 'a😀b'), read({ max_chars: 3 }, 'a😀b'), read({}, 'a\ud83d')]).toEqual([
    ['a😀', '\n[characters 0-3 of 4; cut by max_chars, continue with start_char 3]', 0, 3, 4],
    ['a😀', '\n[characters 0-3 of 4; cut by max_chars, continue with start_char 3]', 0, 3, 4],
    ['a\ud83d', '', 0, 2, 2],
  ]);
});
