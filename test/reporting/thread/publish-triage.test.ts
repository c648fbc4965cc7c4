import { expect, test } from 'vitest';
import { chooseTriage } from '../../../src/reporting/thread/publish-triage.ts';

const plan = { triage: { labels: ['a', 'b', 'c', 'd', 'e', 'f'], candidates: [3] } };

test('chooses only labels and duplicates that plan and configuration allow', () => {
  const proposed = { labels: ['a', 'x', 'b', 'c', 'd', 'e', 'f'], duplicates: [3, 4] };
  expect(chooseTriage(proposed, plan, {})).toEqual({ labels: ['a', 'b', 'c', 'd', 'e'], duplicates: [3] });
  expect(chooseTriage(proposed, plan, { triage: { labels: ['b', 'x'], maxLabels: 3 } })).toEqual({
    labels: ['b'],
    duplicates: [3],
  });
  expect(chooseTriage(proposed, {}, {})).toEqual({ labels: [], duplicates: [] });
});
