import { expect, test } from 'vitest';
import type { Change } from '../../../src/contract/change.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import { afterChange } from '../../../src/reporting/findings/after-change.ts';

const finding = (line: number, more: Partial<Finding> = {}): Finding => ({
  ...{ path: 'a.ts', side: 'RIGHT', line, severity: 'low', category: 'bug', title: 'T', body: 'B' },
  ...more,
});

function change(hunks: string, more: Partial<Change> = {}): Change {
  return {
    ...{ path: 'a.ts', kind: 'modify', before: 'x', after: 'y', risk: 'low', validation: 'passed' },
    ...{ tool: 'edit_file', call_id: 'c', diff: `--- a/a.ts\n+++ b/a.ts\n${hunks}` },
    ...more,
  };
}

/** Replaces line 5, and puts two lines before line 10. */
const edited = change('@@ -4,3 +4,3 @@\n four\n-five\n+FIVE\n six\n@@ -9,2 +9,4 @@\n nine\n+x\n+y\n ten\n');

test.each([
  ['on a changed line', finding(5), []],
  ['over a changed line', finding(7, { start_line: 4 }), []],
  ['right before new lines', finding(9), []],
  ['right behind new lines', finding(10), []],
  ['above all changes', finding(3), [finding(3)]],
  ['between two', finding(7), [finding(7)]],
  [
    'below all changes, and moves with its lines',
    finding(20, { start_line: 18 }),
    [finding(22, { start_line: 20 })],
  ],
  ['on a deleted line of the diff', finding(5, { side: 'LEFT' }), [finding(5, { side: 'LEFT' })]],
  ['in another file', finding(5, { path: 'b.ts' }), [finding(5, { path: 'b.ts' })]],
])('moves or drops a finding %s', (_, before, after) => {
  expect(afterChange([before], edited)).toEqual(after);
});

test('drops findings of a deleted file, and moves those of a renamed one', () => {
  const found = [finding(3), finding(1, { path: 'b.ts' })];
  expect([
    afterChange(found, change('@@ -1,3 +0,0 @@\n-a\n-b\n-c\n', { kind: 'delete', after: null })),
    afterChange(found, change('', { kind: 'rename', path: 'c.ts', old_path: 'a.ts', diff: '' })),
    afterChange(found, change('', { diff: '' })),
  ]).toEqual([[finding(1, { path: 'b.ts' })], [finding(3, { path: 'c.ts' }), found[1]], found]);
});
