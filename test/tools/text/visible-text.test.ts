import { expect, test } from 'vitest';
import { visibleLine, visibleStart, visibleText } from '../../../src/tools/text/visible-text.ts';

test('external text is displayed without terminal sequences and invisible characters', () => {
  expect([
    visibleText('\u001b[31mred\u001b[0m\r\n\u0007bell\tab'),
    visibleText('a\u200b\u202eb\u{e0041}\u{e0042}'),
    visibleText('👩‍💻'),
  ]).toEqual(['red\n␇bell\tab', 'ab', '👩‍💻']);
});

test('one line of it has a maximum length, and no text gives an empty line', () => {
  expect([
    visibleLine(' a\n\n b ', 10),
    visibleLine('abcdef', 4),
    visibleLine('\u200b'.repeat(3), 4),
    visibleLine(5, 4),
  ]).toEqual(['a b', 'abc…', '', '']);
});

const secret = 's3cret-value';

test.each<[shown: string, text: string, most: number, expected: string]>([
  ['no half of a secret', `abc ${secret}`, 6, 'abc [r'],
  ['no half of one where more is cut off', `abc ${secret}${'x'.repeat(100_000)}`, 6, 'abc '],
  ['as much as there may be', 'x'.repeat(100_000), 6, 'xxxxxx'],
  [
    'no half of one that comes nearer as something is taken out',
    `${'\u200b'.repeat(16_384)}${secret}${'x'.repeat(100_000)}`,
    6,
    '',
  ],
])('the beginning of a text is displayed %s, and no more is read than necessary', (_, text, most, expected) => {
  const read: number[] = [];
  const hide = (reply: string) => {
    read.push(reply.length);
    return reply.replaceAll(secret, '[redacted]');
  };
  const displayed = [visibleStart(text, most, hide), visibleLine('x'.repeat(100_000), most, hide)];
  expect([displayed, Math.max(...read) <= most * 4 + 16_384]).toEqual([[expected, 'xxxxx…'], true]);
});
