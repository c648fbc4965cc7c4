import { expect, test } from 'vitest';
import { failureSignature } from '../../../src/webhooks/plan/failure-signature.ts';

const unit = (text: string) => ({ name: 'unit', text });

test('the same failure has one signature, whatever its numbers, hashes, paths and order', () => {
  const first = unit('fine in 12 ms\nError: expected 3 at /tmp/a1b2/x.js:10:4\nassert of 1a2b3c4d5e failed');
  const again = unit('slow in 99 ms\nassert of ffffffff00 failed\nError: expected 4 at /tmp/zz/y.js:11:9');
  expect(failureSignature([first])).toMatch(/^[0-9a-f]{16}$/);
  expect(failureSignature([again])).toBe(failureSignature([first]));
  const lint = { name: 'lint', text: 'error: no' };
  expect(failureSignature([lint, first])).toBe(failureSignature([again, lint]));
});

test('another error or another check has another signature', () => {
  const names = [
    [unit('Error: expected three')],
    [unit('Error: expected four')],
    [{ name: 'lint', text: 'Error: expected three' }],
    [unit('Error: expected three'), { name: 'lint', text: 'error: no' }],
  ].map(failureSignature);
  expect(new Set(names).size).toBe(4);
});
