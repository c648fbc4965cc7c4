import { expect, test } from 'vitest';
import { isHunkHeader, parseHunk } from '../../../src/tools/patch/parse-hunk.ts';

/** A hunk of a text, its lines with their marks, then the index of the line after it. */
function read(text: string, from = 0): unknown {
  const cursor = { lines: text.split('\n'), at: from };
  try {
    const { label, lines, ...rest } = parseHunk(cursor);
    return [label, lines.map((line) => line.mark + line.text), rest, cursor.at];
  } catch (error) {
    return (error as Error).message;
  }
}

const open = { locators: [], atEnd: false, finalNewline: null };

test.each([
  ['@@', true],
  ['@@ x', true],
  ['@@\tx', true],
  ['@@x', false],
  [' @@', false],
])('%j starts a hunk: %j', (line, expected) => {
  expect(isHunkHeader(line)).toBe(expected);
});

test.each([
  ['@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n', ['@@ -1,2 +1,2 @@ f()', [' a', '-b', '+c'], { ...open, line: 1 }, 4]],
  ['@@ -12 +3 @@\n-b\n+c', ['@@ -12 +3 @@', ['-b', '+c'], { ...open, line: 12 }, 3]],
  ['@@ x\n a\n+b\nother', ['@@ x', [' a', '+b'], { ...open, line: null }, 3]],
  ['@@\n a\n@@\n b', ['@@', [' a'], { ...open, line: null }, 2]],
  ['@@\n a\n\n b\n', ['@@', [' a', ' ', ' b'], { ...open, line: null }, 4]],
  ['@@\n a\n\r\n-b\n', ['@@', [' a', ' \r', '-b'], { ...open, line: null }, 4]],
  ['@@\n a\n\n-- \n2.4', ['@@', [' a'], { ...open, line: null }, 2]],
  ['@@\n a\n\n--- x', ['@@', [' a'], { ...open, line: null }, 2]],
  ['@@\n a\n\n--x', ['@@', [' a', ' ', '--x'], { ...open, line: null }, 4]],
  ['@@\n a\n-- \n2.4', ['@@', [' a'], { ...open, line: null }, 2]],
  ['@@\n a\n--\n2.4', ['@@', [' a'], { ...open, line: null }, 2]],
  ['@@ -1,2 +1 @@\n a\n-- \n2.4', ['@@ -1,2 +1 @@', [' a', '-- '], { ...open, line: 1 }, 3]],
  ['@@ -1,2 +1,2 @@\n a\n\n', ['@@ -1,2 +1,2 @@', [' a', ' '], { ...open, line: 1 }, 3]],
  ['@@ -1 +1 @@\n a\n--- b\n+++ b\n@@', ['@@ -1 +1 @@', [' a'], { ...open, line: 1 }, 2]],
  [
    '@@ -1,2 +1,2 @@\n a\n--- b\n+++ b\n@@',
    ['@@ -1,2 +1,2 @@', [' a', '--- b', '+++ b'], { ...open, line: 1 }, 4],
  ],
  ['@@ -1,9 +1,9 @@\n a\n--- b\n+++ b\n@@', ['@@ -1,9 +1,9 @@', [' a'], { ...open, line: 1 }, 2]],
  [
    '@@ -1,9 +1,9 @@\n a\n--- b\n+++ b\n c',
    ['@@ -1,9 +1,9 @@', [' a', '--- b', '+++ b', ' c'], { ...open, line: 1 }, 5],
  ],
  ['@@ -1,2 +1 @@\n a\n--- b\n+++ b\n@@', ['@@ -1,2 +1 @@', [' a'], { ...open, line: 1 }, 2]],
  ['@@\n a\n--- b\n c', ['@@', [' a', '--- b', ' c'], { ...open, line: null }, 4]],
  [
    '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b',
    ['@@ -1 +1 @@', ['-a', '+b'], { locators: [], line: 1, atEnd: true, finalNewline: true }, 4],
  ],
  [
    '@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file',
    ['@@ -1 +1 @@', ['-a', '+b'], { locators: [], line: 1, atEnd: true, finalNewline: false }, 4],
  ],
  [
    '@@ -1 +1 @@\n a\n\\ No newline at end of file',
    ['@@ -1 +1 @@', [' a'], { locators: [], line: 1, atEnd: true, finalNewline: false }, 3],
  ],
])('%j is parsed', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('an invalid hunk is refused with its line', () => {
  expect([read('x\n@@ -1,2 @@\n a', 1), read('x\n@@\n', 1), read('@@ -1 +1 @@\n*** End')]).toEqual([
    'Patch line 2: "@@ -1,2 @@" is no hunk header; it should look like @@ -12,3 +12,4 @@.',
    'Patch line 2: the hunk "@@" has no lines.',
    'Patch line 1: the hunk "@@ -1 +1 @@" has no lines.',
  ]);
});
