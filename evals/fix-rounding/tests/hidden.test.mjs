import assert from 'node:assert/strict';
import test from 'node:test';
import { format, total } from './src/money.js';

test('tax is rounded to the nearest cent, halves up', () => {
  assert.equal(total([{ cents: 199, quantity: 1, taxPercent: 19 }]), 237);
  assert.equal(total([{ cents: 50, quantity: 1, taxPercent: 5 }]), 53);
  assert.equal(total([{ cents: 101, quantity: 1, taxPercent: 20 }]), 121);
});

test('each line has its own tax', () => {
  const line = { cents: 199, quantity: 1, taxPercent: 19 };
  assert.equal(total([line, line]), 474);
});

test('amounts have two places, and one sign', () => {
  assert.deepEqual([5, 0, 100, 1234, -5, -1234].map(format), [
    '0.05',
    '0.00',
    '1.00',
    '12.34',
    '-0.05',
    '-12.34',
  ]);
});
