import { expect, test } from 'vitest';
import { readMarkdown } from '../../src/contract/read-markdown.ts';
import { parseRegex } from '../../src/contract/regex-syntax.ts';

test('Markdown with extreme nesting of quotes and lists is not parsed', () => {
  const read = ['> ', '- ', '1. ', '> - '].map((mark) => [
    readMarkdown(`${mark.repeat(50)}x`)?.length,
    readMarkdown(`${mark.repeat(20_000)}x`),
  ]);
  expect(read).toEqual(Array(4).fill([1, null]));
});

test('a regular expression with extreme nesting of groups is invalid', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
  expect(parseRegex(nested(200), '').kind).toBe('sequence');
  expect(() => parseRegex(nested(201), '')).toThrow('its groups are nested more than 200 deep');
});
