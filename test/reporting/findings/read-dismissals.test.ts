import { expect, test } from 'vitest';
import { letsGo } from '../../../src/reporting/findings/read-dismissals.ts';

test.each([
  ["won't fix", true],
  ['Won’t fix, this is the demo.', true],
  ['wontfix', true],
  ['This is a false positive: the list is never empty.', true],
  ['False positive.', true],
  ['Not a bug', true],
  ['This is by design.', true],
  ['Works as intended', true],
  ['> won’t fix\n\nI will.', false],
  ["I don't think that we won't fix this", false],
  ['Fixed, thanks', false],
  ['Not a bugfix yet', false],
  ['', false],
])('Whether %j lets a finding go: %s.', (words, lets) => {
  expect(letsGo(words)).toBe(lets);
});
