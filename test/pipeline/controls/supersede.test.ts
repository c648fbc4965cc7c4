import { expect, test } from 'vitest';
import { comesAfter } from '../../../src/pipeline/controls/supersede.ts';

const run = {
  triggered_at: '2026-01-02T03:04:05Z',
  source: { kind: 'app' as const, delivery_id: 'guid-1' },
};

test.each<[what: string, at: string, delivery: string | null, after: boolean]>([
  ['the event that the run was started by', '2026-01-02T03:04:05Z', 'guid-1', false],
  ['another one of the same second', '2026-01-02T03:04:05Z', 'guid-2', true],
  ['a later one', '2026-01-02T03:04:06Z', 'guid-2', true],
  ['an earlier one that is looked at late', '2026-01-02T03:04:04Z', 'guid-0', false],
  ['a later one without a delivery', '2026-01-02T03:04:06Z', null, true],
])('a run is superseded, or not, by %s', (_, at, delivery_id, after) => {
  expect(comesAfter(run, { at, delivery_id })).toBe(after);
});

test('a run without a delivery is superseded by any event', () => {
  const local = { ...run, source: { kind: 'action' as const, delivery_id: null } };
  expect(comesAfter(local, { at: run.triggered_at, delivery_id: null })).toBe(true);
});
