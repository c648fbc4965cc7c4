import { expect, test } from 'vitest';
import { shownWhole } from '../../src/untrusted-text/shown-whole.ts';

test('a reader sees each character that would not show', () => {
  expect(shownWhole('a\n\tb é 😀 \u0000\r\u007f\u00a0\u202e\u200b\ufeff\ud800\u{e0041}\u{e0101}')).toBe(
    'a\n\tb é 😀 <U+0000><U+000D><U+007F><U+00A0><U+202E><U+200B><U+FEFF><U+D800><U+E0041><U+E0101>',
  );
});
