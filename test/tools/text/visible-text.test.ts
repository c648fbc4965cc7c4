import { expect, test } from 'vitest';
import { oneLine, visibleText } from '../../../src/tools/text/visible-text.ts';

test('what somebody elsewhere wrote is shown without orders to a terminal and without what nobody sees', () => {
  expect([
    visibleText('\u001b[31mred\u001b[0m\r\n\u0007bell\tab'),
    visibleText('a\u200b\u202eb\u{e0041}\u{e0042}'),
    visibleText('👩‍💻'),
  ]).toEqual(['red\n␇bell\tab', 'ab', '👩‍💻']);
});

test('one line of it is as long as it may be, and nothing where it is no text', () => {
  expect([
    oneLine(' a\n\n b ', 10),
    oneLine('abcdef', 4),
    oneLine('\u200b'.repeat(3), 4),
    oneLine(5, 4),
  ]).toEqual(['a b', 'abc…', '', '']);
});
