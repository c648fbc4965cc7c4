import { expect, test } from 'vitest';
import { findByTypedId, readFindingId, shownFindingId } from '../../src/contract/finding-id.ts';

test('an id of seven digits or more begins the words of a dismissal', () => {
  expect(
    [
      '3fa2b1c',
      '`3FA2B1C`: the loader checks it',
      '3fa2b1c0d4e5f607-2, by design',
      '3fa2b1c\nby design',
      '3fa2b1',
      'facades are fine',
      'added toasts',
      'because of 3fa2b1c',
      '',
    ].map(readFindingId),
  ).toEqual([
    { id: '3fa2b1c', reason: '' },
    { id: '3fa2b1c', reason: 'the loader checks it' },
    { id: '3fa2b1c0d4e5f607-2', reason: 'by design' },
    { id: '3fa2b1c', reason: 'by design' },
    ...[null, null, null, null, null],
  ]);
});

test('an id is shown whole if another one begins with the same digits', () => {
  const all = [{ id: 'aaaaaaa000000000' }, { id: 'aaaaaaa000000000-2' }, { id: 'bbbbbbb000000000' }];
  const shown = all.map(({ id }) => shownFindingId(id, all));
  expect(shown).toEqual(['aaaaaaa000000000', 'aaaaaaa000000000-2', 'bbbbbbb']);
  expect(shown.map((typed) => findByTypedId(all, typed))).toEqual(all);
  expect([findByTypedId(all, 'aaaaaaa'), findByTypedId(all, 'ccccccc')]).toEqual([null, null]);
});
