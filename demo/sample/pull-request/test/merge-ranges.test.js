import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRange, mergeRanges } from '../src/index.js';

test('ranges that overlap become one', () => {
  assert.deepEqual(
    mergeRanges([createRange('2026-05-04', '2026-05-08'), createRange('2026-05-07', '2026-05-12')]),
    [createRange('2026-05-04', '2026-05-12')],
  );
});

test('ranges that touch become one, whatever their order', () => {
  assert.deepEqual(
    mergeRanges([createRange('2026-05-09', '2026-05-12'), createRange('2026-05-04', '2026-05-08')]),
    [createRange('2026-05-04', '2026-05-12')],
  );
});

test('ranges with a day between them stay apart', () => {
  const apart = [createRange('2026-05-04', '2026-05-08'), createRange('2026-05-10', '2026-05-12')];
  assert.deepEqual(mergeRanges(apart), apart);
});

test('a range inside another does not make it shorter', () => {
  assert.deepEqual(
    mergeRanges([createRange('2026-05-04', '2026-05-29'), createRange('2026-05-11', '2026-05-15')]),
    [createRange('2026-05-04', '2026-05-29')],
  );
});
