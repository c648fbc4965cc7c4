import { expect, test } from 'vitest';
import { createPageRoom } from '../../../src/reporting/html/render-text.ts';

test('each piece may take its share, and what one leaves over goes to those after it', () => {
  const room = createPageRoom(100, 3);
  const shares: number[] = [];
  for (const spent of [13, 40, 90]) {
    shares.push(room.next(1_000));
    room.spend(spent);
  }
  expect([...shares, room.next(1_000)]).toEqual([33, 43, 47, 0]);
});

test('no piece takes more than it asks for, and one too many what is left', () => {
  const room = createPageRoom(10, 1);
  const first = room.next(4);
  room.spend(4);
  expect([first, room.next(100), room.next(-1), createPageRoom(10, 0).next(100)]).toEqual([4, 6, 0, 10]);
});
