import { expect, test } from 'vitest';
import type { RunAccount } from '../../../src/contract/run-account.ts';
import { foldAccounts } from '../../../src/reporting/stats/fold-accounts.ts';
import { renderMetrics, renderStats } from '../../../src/reporting/stats/render-stats.ts';

const none = { fixed: 0, dismissed: 0, open: 0 };
const account = (change: Partial<RunAccount>): RunAccount => ({
  ...{ v: 1, run_id: 'run_1', ended_at: '2026-01-02T03:04:05.000Z', repository: 'acme/app' },
  ...{ verb: 'fix', profile: 'craft', model: 'anthropic/large', conclusion: 'success' },
  ...{ cost_usd: 0.5, tokens: 1_000, duration_ms: 10, committed: true, result: null },
  ...change,
});
const kept = { merged: true, commit: 'kept' as const, findings: none };
const review = { verb: 'review', committed: false };
const accounts = [
  account({ result: kept }),
  account({ result: { ...kept, commit: 'reverted' } }),
  account({ result: { ...kept, merged: false } }),
  account({}),
  account({
    ...review,
    result: { merged: true, commit: null, findings: { fixed: 2, dismissed: 1, open: 0 } },
  }),
  account({
    ...review,
    result: { merged: true, commit: null, findings: { fixed: 0, dismissed: 1, open: 1 } },
  }),
  account({ ...review, result: { merged: true, commit: null, findings: none } }),
  account({ verb: 'ask', committed: false, result: kept, model: 'openai/"small"', cost_usd: null }),
];

test('sums up runs by group: taken results, those that were not, and what each cost', () => {
  expect(foldAccounts(accounts, ['model'])).toEqual([
    {
      group: { model: 'anthropic/large' },
      ...{ runs: 7, cost_usd: 3.5, unpriced: 0, tokens: 7_000, accepted: 2, rejected: 3, open: 1 },
      findings: { fixed: 2, dismissed: 2, open: 1 },
      cost_per_accepted: 1.75,
    },
    {
      group: { model: 'openai/"small"' },
      ...{ runs: 1, cost_usd: 0, unpriced: 1, tokens: 1_000, accepted: 0, rejected: 0, open: 0 },
      findings: none,
      cost_per_accepted: null,
    },
  ]);
});

test('renders groups as columns and as metrics', () => {
  const stats = foldAccounts(accounts, ['model']);
  expect(renderStats(stats, ['model']).split('\n')).toEqual([
    'model            runs    cost  accepted  rejected  open  fixed  dismissed  per accepted',
    'anthropic/large     7   $3.50         2         3     1      2          2         $1.75',
    'openai/"small"      1  $0.00+         0         0     0      0          0             -',
    '+ some runs have no known price',
  ]);
  expect(renderMetrics(stats).split('\n').slice(0, 11)).toEqual([
    '# HELP anode_runs Stored runs.',
    '# TYPE anode_runs gauge',
    'anode_runs{model="anthropic/large"} 7',
    'anode_runs{model="openai/\\"small\\""} 1',
    '# HELP anode_run_cost_usd Cost of stored runs with a known price.',
    '# TYPE anode_run_cost_usd gauge',
    'anode_run_cost_usd{model="anthropic/large"} 3.5',
    'anode_run_cost_usd{model="openai/\\"small\\""} 0',
    '# HELP anode_run_tokens Tokens of stored runs.',
    '# TYPE anode_run_tokens gauge',
    'anode_run_tokens{model="anthropic/large"} 7000',
  ]);
});
