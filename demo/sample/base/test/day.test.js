import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, parseDay } from '../src/index.js';

test('a date survives the way to a day and back', () => {
  assert.equal(formatDay(parseDay('2024-02-29')), '2024-02-29');
});

test('the first of January 1970 is day 0', () => {
  assert.equal(parseDay('1970-01-01'), 0);
});

for (const text of ['2023-02-29', '2023-2-1', 'tomorrow', '']) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseDay(text), RangeError);
  });
}
