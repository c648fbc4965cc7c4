import { expect, test } from 'vitest';
import {
  type HeadRecord,
  knownEarlier,
  parseHeadRecord,
  recordOfOwnHead,
} from '../../src/contract/known-head.ts';

const [pushed, requested] = ['2026-01-02T03:00:00.000Z', '2026-01-02T03:01:00.000Z'];
const now = new Date('2026-01-02T04:00:00.000Z');
const at = now.toISOString();

test('our consecutive commits are on top of the last head by someone else', () => {
  const before: HeadRecord = { sha: 'a', at: pushed };
  const first = recordOfOwnHead(before, { sha: 'b', onto: 'a', ontoSince: requested, now });
  const second = recordOfOwnHead(first, { sha: 'c', onto: 'b', ontoSince: requested, now });
  expect([first, second]).toEqual([
    { sha: 'b', at, under: before, made: ['b'] },
    { sha: 'c', at, under: before, made: ['b', 'c'] },
  ]);
  // Also where the same commit is found again.
  expect(recordOfOwnHead(second, { sha: 'c', onto: 'b', ontoSince: requested, now })).toBe(second);
});

test('a head without an event is known from the time of its request', () => {
  const under = { sha: 'a', at: requested };
  for (const before of [null, { sha: 'old', at: pushed, under: { sha: 'x', at: pushed }, made: ['old'] }])
    expect(recordOfOwnHead(before, { sha: 'b', onto: 'a', ontoSince: requested, now })).toEqual({
      ...{ sha: 'b', at, under, made: ['b'] },
    });
});

test('a record has a limited size, and an unreadable one counts as missing', () => {
  const made = Array.from({ length: 100 }, (_, index) => `${index}`);
  const full = { sha: 'a', at: pushed, under: { sha: 'x', at: pushed }, made };
  const next = recordOfOwnHead(full, { sha: 'b', onto: 'a', ontoSince: requested, now });
  expect([next.made?.length, next.made?.at(0), next.made?.at(-1)]).toEqual([100, '1', 'b']);
  expect([parseHeadRecord(JSON.stringify(full)), parseHeadRecord('{'), parseHeadRecord(null)]).toEqual([
    ...[full, null, null],
  ]);
});

test('a head that was known earlier keeps the earlier time, also under commits of ours', () => {
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
  const own = { sha: 'own', at: late, under: { sha: 'base', at: late }, made: ['own'] };
  const known = (record: HeadRecord | null, sha: string, at = early) => knownEarlier(record, { sha, at });
  expect([
    known(own, 'base'),
    known({ sha: 'base', at: late }, 'base'),
    known(own, 'own'),
    known(own, 'other'),
    known({ sha: 'base', at: early }, 'base', late),
    known(null, 'base'),
  ]).toEqual([
    { ...own, under: { sha: 'base', at: early } },
    { sha: 'base', at: early },
    ...[null, null, null, null],
  ]);
});
