import { expect, test } from 'vitest';
import { isBehind, type ReadPull, type ReportedPull } from '../../../src/webhooks/triggers/is-behind.ts';

const told: ReportedPull = { head: 'new', base: 'main', updatedAt: 5 };
const read: ReadPull = { head: 'new', base: 'main', updatedAt: 5 };

test.each<[what: string, read: ReadPull, told: ReportedPull | null, behind: boolean]>([
  ['nothing was reported', { ...read, head: 'old', updatedAt: 1 }, null, false],
  ['everything is the same', read, told, false],
  ['it is older, but the same', { ...read, updatedAt: 4 }, told, false],
  ['it is older, with another head', { ...read, head: 'old', updatedAt: 4 }, told, true],
  ['it is of the same second, with another head', { ...read, head: 'old' }, told, true],
  ['it is newer, with another head', { ...read, head: 'newer', updatedAt: 6 }, told, false],
  ['it is older, with another base', { ...read, base: 'next', updatedAt: 4 }, told, true],
  ['it is newer, with another base', { ...read, base: 'next', updatedAt: 6 }, told, false],
  ['no base was reported', { ...read, updatedAt: 4 }, { ...told, base: null }, false],
  ['no base was reported, and the head differs', { ...read, head: 'old' }, { ...told, base: null }, true],
])('decides if a read is outdated: %s', (_, one, other, behind) => {
  expect(isBehind(one, other)).toBe(behind);
});
