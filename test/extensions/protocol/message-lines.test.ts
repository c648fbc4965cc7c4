import { expect, test } from 'vitest';
import { messageLines } from '../../../src/extensions/protocol/message-lines.ts';

/** What becomes of output in these pieces. */
function heard(limits: { message: number; line: number }, ...pieces: readonly string[]) {
  const events: unknown[] = [];
  const push = messageLines(limits, {
    line: (text) => events.push(text),
    tooLong: (line) => events.push(line),
    endless: () => events.push('endless'),
  });
  for (const piece of pieces) push(Buffer.from(piece));
  return events;
}

test('lines are cut out of pieces, and one without an end waits for it', () => {
  expect([
    heard({ message: 5, line: 9 }, 'ab\n', 'c', 'd', 'e\nf\n\ng'),
    heard({ message: 5, line: 9 }, '', '12345\n', '12345'),
  ]).toEqual([['ab', 'cde', 'f', ''], ['12345']]);
});

test('of a line that is too long its size and its ends are told, and the next is read again', () => {
  const long = `${'a'.repeat(600)}${'b'.repeat(600)}`;
  const ends = { head: 'a'.repeat(512), tail: 'b'.repeat(512) };
  const limits = { message: 1_000, line: 2_000 };
  expect([
    heard(limits, `${long}\nok\n`),
    heard(limits, ...[...long].map(String), '\n', 'ok\n'),
    heard(limits, long.slice(0, 900), `${long.slice(900)}\n`),
    heard({ message: 5, line: 9 }, 'abc', 'def', '\nok\n'),
    heard({ message: 5, line: 9 }, 'abcdef\nabcdefg\n'),
  ]).toEqual([
    [{ bytes: 1_200, ...ends }, 'ok'],
    [{ bytes: 1_200, ...ends }, 'ok'],
    [{ bytes: 1_200, ...ends }],
    [{ bytes: 6, head: 'abcdef', tail: 'abcdef' }, 'ok'],
    [
      { bytes: 6, head: 'abcdef', tail: 'abcdef' },
      { bytes: 7, head: 'abcdefg', tail: 'abcdefg' },
    ],
  ]);
});

test('behind a line that does not end nothing is read any more', () => {
  const limits = { message: 5, line: 9 };
  expect([
    heard(limits, 'x'.repeat(9), '\nok\n'),
    heard(limits, 'ok\n', 'x'.repeat(10), '\nok\n', 'ok\n'),
    heard(limits, 'x'.repeat(5), 'x'.repeat(5), 'more'),
  ]).toEqual([
    [{ bytes: 9, head: 'x'.repeat(9), tail: 'x'.repeat(9) }, 'ok'],
    ['ok', 'endless'],
    ['endless'],
  ]);
});
