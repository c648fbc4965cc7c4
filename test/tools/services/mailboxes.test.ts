import { expect, test } from 'vitest';
import { createMailboxes, type Mailboxes, mailReminder } from '../../../src/tools/services/mailboxes.ts';

const from = (sender: string, recipient: string, message: string) => ({
  ...{ sender, recipient, message, from: sender },
  type: 'status' as const,
});
const taken = (boxes: ReturnType<typeof createMailboxes>, name: string, reader = name, peek = false) =>
  boxes.take(name, { reader, peek }).map(({ message }) => message);

test('a mailbox keeps its messages in order until they are read, in any case of its name', () => {
  const boxes = createMailboxes();
  boxes.send(from('child_1', 'Aggman ', 'one'));
  boxes.send(from('child_2', 'aggman', 'two'));
  boxes.send(from('child_2', 'parent', 'other'));
  expect(boxes.waiting()).toEqual([
    { name: 'aggman', count: 2 },
    { name: 'parent', count: 1 },
  ]);
  expect([
    taken(boxes, 'aggman', 'parent', true),
    taken(boxes, 'AGGMAN', 'parent'),
    taken(boxes, 'aggman', 'parent'),
    taken(boxes, 'nobody'),
  ]).toEqual([['one', 'two'], ['one', 'two'], [], []]);
});

test("a broadcast reaches every mailbox once, except the sender's", () => {
  const boxes = createMailboxes();
  boxes.send(from('parent', 'child_1', 'before'));
  boxes.send(from('parent', 'broadcast', 'all'));
  boxes.send({ ...from('parent', 'child_2', 'all too'), type: 'broadcast' });
  expect([
    taken(boxes, 'child_1'),
    taken(boxes, 'child_1'),
    taken(boxes, 'child_2', 'child_2', true),
    taken(boxes, 'child_2'),
    taken(boxes, 'parent'),
  ]).toEqual([['before', 'all', 'all too'], [], ['all', 'all too'], ['all', 'all too'], []]);
});

test('a full mailbox and one mailbox too many are refused with a message', () => {
  const boxes = createMailboxes();
  for (let at = 0; at < 200; at += 1) boxes.send(from('child_1', 'parent', 'x'));
  expect(() => boxes.send(from('child_1', 'parent', 'x'))).toThrow(/holds 200 messages/);
  for (let at = 1; at < 100; at += 1) boxes.send(from('child_1', `box ${at}`, 'x'));
  expect(() => boxes.send(from('child_1', 'one more', 'x'))).toThrow(/There are 100 mailboxes/);
  expect(taken(boxes, 'parent')).toHaveLength(200);
  for (let at = 0; at < 200; at += 1) boxes.send(from('parent', 'broadcast', 'x'));
  expect(() => boxes.send(from('parent', 'broadcast', 'x'))).toThrow(/as many as may be\. Write to one/);
  expect(taken(boxes, 'parent')).toEqual([]);
  boxes.send(from('child_1', 'parent', 'again'));
  expect(taken(boxes, 'parent')).toEqual(['again']);
});

test('a reminder is made whenever more messages wait than it last reported', () => {
  let waiting = 0;
  const requested: unknown[] = [];
  const mailboxes = {
    take: (name: string, options: object) => {
      requested.push([name, options]);
      return Array.from({ length: waiting }, () => ({}));
    },
  } as unknown as Mailboxes;
  const note = mailReminder(mailboxes, 'me');
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
  expect(requested[0]).toEqual(['me', { reader: 'me', peek: true }]);
});
