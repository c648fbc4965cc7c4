import { expect, test } from 'vitest';
import { readMarkdown } from '../../src/contract/read-markdown.ts';
import { parseRegex } from '../../src/contract/regex-syntax.ts';

test('Markdown with quotes and lists nested deeper than anybody writes is not parsed', () => {
  const read = ['> ', '- ', '1. ', '> - '].map((mark) => [
    readMarkdown(`${mark.repeat(50)}x`)?.length,
    readMarkdown(`${mark.repeat(20_000)}x`),
  ]);
  expect(read).toEqual(Array(4).fill([1, null]));
});

test('a regular expression with groups nested deeper than anybody writes is none', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
  expect(parseRegex(nested(200), '').kind).toBe('sequence');
  expect(() => parseRegex(nested(201), '')).toThrow('its groups are nested more than 200 deep');
});
