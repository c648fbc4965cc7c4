import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contains, countDays, createRange } from '../src/index.js';

test('both ends of a range belong to it', () => {
  const range = createRange('2026-02-27', '2026-03-02');
  assert.equal(countDays(range), 4);
  assert.equal(contains(range, '2026-02-27'), true);
  assert.equal(contains(range, '2026-03-02'), true);
  assert.equal(contains(range, '2026-03-03'), false);
});

test('a range cannot end before it starts', () => {
  assert.throws(() => createRange('2026-03-02', '2026-02-27'), RangeError);
});
