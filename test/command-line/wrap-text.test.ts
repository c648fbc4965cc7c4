import { expect, test } from 'vitest';
import { wrapText } from '../../src/command-line/wrap-text.ts';

test.for([
  ['one two three', 'one two\nthree'],
  ['- one two three', '- one two\n  three'],
  ['  1. one two', '  1. one\n     two'],
  ['unbreakable-words stay', 'unbreakable-words\nstay'],
  ['short\n\nlines', 'short\n\nlines'],
  ['```\nconst wide = 1;\n```\nand then', '```\nconst wide = 1;\n```\nand then'],
] as const)('words stay whole, and code stays unchanged: %j', ([text, wrapped]) => {
  expect(wrapText(text, 9)).toBe(wrapped);
});
