import { expect, test } from 'vitest';
import type { ToldFinding } from '../../../src/contract/findings.ts';
import { findingsToList } from '../../../src/reporting/review/fold-findings.ts';
import { finding } from '../samples.ts';

const told = (state: ToldFinding['state']): ToldFinding => ({
  ...{ id: state, state, thread: null, by: null },
  finding: { ...finding, title: state },
});

test('a summary lists what is open where a review told it, and else what the run found', () => {
  const all = (['new', 'carried', 'fixed', 'dismissed', 'outside'] as const).map(told);
  expect([
    findingsToList([finding], undefined),
    findingsToList([finding], []),
    findingsToList([finding], all).map(({ title }) => title),
  ]).toEqual([[finding], [], ['new', 'carried']]);
});
