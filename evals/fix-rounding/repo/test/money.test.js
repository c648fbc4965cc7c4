import assert from 'node:assert/strict';
import test from 'node:test';
import { format, total } from '../src/money.js';

test('adds up lines without tax', () => {
  assert.equal(total([{ cents: 250, quantity: 2, taxPercent: 0 }]), 500);
});

test('formats an amount', () => {
  assert.equal(format(1234), '12.34');
});
