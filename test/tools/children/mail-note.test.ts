import { expect, test } from 'vitest';
import { mailNote } from '../../../src/tools/children/mail-note.ts';
import type { Mailboxes } from '../../../src/tools/services/mailboxes.ts';

test('a note is made whenever more messages wait than it said last', () => {
  let waiting = 0;
  const asked: unknown[] = [];
  const mailboxes = {
    take: (name: string, options: object) => {
      asked.push([name, options]);
      return Array.from({ length: waiting }, () => ({}));
    },
  } as unknown as Mailboxes;
  const note = mailNote(mailboxes, 'me');
  const at = (count: number) => {
    waiting = count;
    return note();
  };
  expect([0, 1, 1, 3, 2, 3].map(at)).toEqual([
    null,
    '1 message waits for you: receive_messages reads them.',
    null,
    '3 messages wait for you: receive_messages reads them.',
    null,
    '3 messages wait for you: receive_messages reads them.',
  ]);
  expect(asked[0]).toEqual(['me', { reader: 'me', peek: true }]);
});
