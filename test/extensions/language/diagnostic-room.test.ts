import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/extensions/language/diagnostic.ts';
import { fitInto, roomAfter } from '../../../src/extensions/language/diagnostic-room.ts';

const place = { message: 'é', location: { uri: 'file:///a' } };
const diagnostic = (change: object = {}) =>
  ({ message: 'ab', code: null, source: null, related: [], ...change }) as unknown as Diagnostic;

test('room is taken by each diagnostic, each place that it points to, and their texts', () => {
  const diagnostics = [diagnostic(), diagnostic({ code: 'c', source: 'de', related: [place, place] })];
  const all = { diagnostics, leftOut: 3 };
  const taken = { count: 4, bytes: 2 + 2 + 1 + 2 + 2 * (2 + 9) };
  const first = { kept: { diagnostics: diagnostics.slice(0, 1), leftOut: 4 }, taken: { count: 1, bytes: 2 } };
  expect([
    fitInto(taken, all),
    fitInto({ ...taken, count: 3 }, all),
    fitInto({ ...taken, bytes: taken.bytes - 1 }, all),
    fitInto({ count: 0, bytes: 9 }, all),
    roomAfter({ count: 5, bytes: 9 }, { count: 1, bytes: 2 }),
  ]).toEqual([
    { kept: all, taken },
    first,
    first,
    { kept: { diagnostics: [], leftOut: 5 }, taken: { count: 0, bytes: 0 } },
    { count: 4, bytes: 7 },
  ]);
});
