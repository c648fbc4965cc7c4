import { expect, test } from 'vitest';
import { isBehind, type ReadPull, type ReportedPull } from '../../../src/webhooks/triggers/is-behind.ts';

const told: ReportedPull = { head: 'new', base: 'main', updatedAt: 5 };
const read: ReadPull = { head: 'new', base: 'main', updatedAt: 5 };

test.each<[what: string, read: ReadPull, told: ReportedPull | null, behind: boolean]>([
  ['nothing was told', { ...read, head: 'old', updatedAt: 1 }, null, false],
  ['all is the same', read, told, false],
  ['it is older, but the same', { ...read, updatedAt: 4 }, told, false],
  ['it is older, with another head', { ...read, head: 'old', updatedAt: 4 }, told, true],
  ['it is of the same second, with another head', { ...read, head: 'old' }, told, true],
  ['it is newer, with another head', { ...read, head: 'newer', updatedAt: 6 }, told, false],
  ['it is older, with another base', { ...read, base: 'next', updatedAt: 4 }, told, true],
  ['it is newer, with another base', { ...read, base: 'next', updatedAt: 6 }, told, false],
  ['no base was told', { ...read, updatedAt: 4 }, { ...told, base: null }, false],
  ['no base was told, and the head is another', { ...read, head: 'old' }, { ...told, base: null }, true],
])('where %s', (_, one, other, behind) => {
  expect(isBehind(one, other)).toBe(behind);
});
