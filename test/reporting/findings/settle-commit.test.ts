import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/contract/change.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { contextOf, numbered } from '../../../src/reporting/findings/line-context.ts';
import { isFixedBy } from '../../../src/reporting/findings/settle-commit.ts';

const text = Array.from({ length: 12 }, (_, index) => `let value${index} = read(${index});\n`).join('');
const known: PreviousFinding = {
  ...{
    id: 'f',
    path: 'a',
    side: 'RIGHT',
    line: 6,
    severity: 'high',
    category: 'bug',
    title: 't',
    check: null,
  },
  ...contextOf({ path: 'a', side: 'RIGHT', line: 6 }, { lines: () => numbered(text) }),
  ...{ state: 'open', run_id: 'r', dismissed_by: null, fixed: null },
};
const file = (content: string | null, more: Partial<FileChange> = {}): FileChange => ({
  ...{ path: 'a', kind: content === null ? 'delete' : 'modify', mode: '100644', old_mode: '100644' },
  ...{ content: content === null ? null : Buffer.from(content).toString('base64'), binary: false, diff: '' },
  ...more,
});
const isFixed = (
  change: FileChange,
  {
    finding = {} as Partial<PreviousFinding>,
    before = text as string | null,
    claimed = [] as string[],
    requested = null as string | null,
    changed = true,
  } = {},
) => isFixedBy({ ...known, ...finding }, [change], { before, claimed: new Set(claimed), requested, changed });

const repaired = text.replace('read(5)', 'read(5) ?? 0');
const beside = text.replace('read(4)', 'guarded(4)');
const far = text.replace('read(11)', 'other(11)');

test('a change that removes the lines of a finding fixes it', () => {
  expect([
    isFixed(file(repaired)),
    isFixed(file(null)),
    isFixed(file(repaired, { path: 'b', old_path: 'a', kind: 'rename' })),
    isFixed(file(far)),
    isFixed(file(far, { path: 'b', old_path: 'a', kind: 'rename' })),
    isFixed(file(repaired, { path: 'c' })),
    isFixed(file(repaired, { binary: true })),
    isFixed(file(repaired), { finding: { anchor: '' } }),
  ]).toEqual([true, true, true, false, false, false, false, false]);
});

test('a change near the lines fixes the finding only if the run was about it', () => {
  expect([
    isFixed(file(beside)),
    isFixed(file(beside), { claimed: ['f'] }),
    isFixed(file(beside), { claimed: ['g'] }),
    isFixed(file(far), { claimed: ['f'] }),
    isFixed(file(beside), { requested: 'f' }),
    isFixed(file(beside), { requested: 'g' }),
  ]).toEqual([false, true, false, false, true, false]);
});

test('a finding about deleted lines is fixed in any file if the run says so', () => {
  const finding = { side: 'LEFT' as const };
  const elsewhere = file('Said in the changelog.', { path: 'CHANGELOG.md' });
  expect([
    isFixed(elsewhere, { finding, claimed: ['f'] }),
    isFixed(elsewhere, { finding }),
    isFixed(elsewhere, { claimed: ['f'] }),
  ]).toEqual([true, false, false]);
});

test('a request in the thread of a finding about deleted lines does not make a commit its fix', () => {
  const finding = { side: 'LEFT' as const };
  const elsewhere = file('Said in the changelog.', { path: 'CHANGELOG.md' });
  expect([
    isFixed(elsewhere, { finding, requested: 'f' }),
    isFixed(file(beside), { finding, requested: 'f' }),
    isFixed(elsewhere, { finding, requested: 'f', claimed: ['f'] }),
  ]).toEqual([false, false, true]);
});

test('lines that had changed before the run do not count as a fix', () => {
  expect([
    isFixed(file(repaired), { before: repaired }),
    isFixed(file(beside), { before: beside, claimed: ['f'] }),
    isFixed(file(repaired), { before: null }),
    isFixed(file(repaired), { before: beside }),
  ]).toEqual([false, false, false, true]);
});

test('lines that only changed are a fix if the run says so, or was a fix without a statement', () => {
  const removed = text.replace(/^.*read\(5\).*\n/mu, '');
  expect([
    isFixed(file(repaired)),
    isFixed(file(repaired), { changed: false }),
    isFixed(file(repaired), { changed: false, claimed: ['f'] }),
    isFixed(file(removed), { changed: false }),
  ]).toEqual([true, false, true, true]);
});

test('a finding on deleted lines is fixed if the lines are restored', () => {
  expect([
    isFixed(file(text), { finding: { side: 'LEFT' }, before: repaired }),
    isFixed(file(repaired), { finding: { side: 'LEFT' }, before: repaired }),
  ]).toEqual([true, false]);
});
