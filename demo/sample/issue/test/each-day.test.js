import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRange, eachDay } from '../src/index.js';

test('every date of a range comes once, in order, across the end of a month', () => {
  assert.deepEqual(
    [...eachDay(createRange('2026-02-27', '2026-03-02'))],
    ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
  );
});

test('a range of one day has one date', () => {
  assert.deepEqual([...eachDay(createRange('2024-02-29', '2024-02-29'))], ['2024-02-29']);
});
