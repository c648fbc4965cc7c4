import { expect, test } from 'vitest';
import { cacheTexts } from '../../src/redaction/cache-texts.ts';

/** Returns the texts of some calls that were computed and not taken from the cache. */
function computed(calls: readonly string[]): string[] {
  const texts: string[] = [];
  const compute = (text: string) => {
    texts.push(text);
    return text.toUpperCase();
  };
  const cached = cacheTexts(compute, { texts: 2, characters: 3 });
  expect(calls.map(cached)).toEqual(calls.map((text) => text.toUpperCase()));
  return texts;
}

test('a text of at most the given length is cached', () => {
  expect(computed(['abc', 'abc', 'abcd', 'abcd'])).toEqual(['abc', 'abcd', 'abcd']);
});

test('the oldest text is dropped when the cache is full', () => {
  expect(computed(['a', 'b', 'a', 'b', 'c', 'b', 'c', 'a'])).toEqual(['a', 'b', 'c', 'a']);
});
