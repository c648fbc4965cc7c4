import { expect, test } from 'vitest';
import { internalError } from '../../src/contract/errors.ts';

const stored = 'What the run did before is kept.';

test.each([
  ['a defect', 'a defect.'],
  ['There is no delivery.', 'There is no delivery.'],
  ['What is this?', 'What is this?'],
  ['Too large!\n', 'Too large!'],
])('the message of the error %j becomes one sentence', (words, sentence) => {
  expect(internalError(new RangeError(words))).toEqual({
    kind: 'internal_error',
    message: `Anode CI itself failed: RangeError: ${sentence} ${stored}`,
  });
});

test('a full disk is reported with the remedy', () => {
  const error = Object.assign(new Error('the disk is full.'), { code: 'ENOSPC', syscall: 'write' });
  expect(internalError(error)).toEqual({
    kind: 'internal_error',
    message: `The system failed the run: the disk is full. Free space on that disk. ${stored}`,
  });
});
