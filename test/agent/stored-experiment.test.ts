import { afterEach, expect, test } from 'vitest';
import { saveStopped } from '../../src/agent/saved-session.ts';
import type { ExperimentHistory } from '../../src/contract/experiment.ts';
import { RunLedgerLine } from '../../src/contract/run-ledger.ts';
import { type Family, runRunTree, textOf } from './run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

const run = {
  number: 1,
  status: 'baseline',
  value: 4,
  metrics: {},
  description: '',
  duration_ms: 1,
} as const;
const before: ExperimentHistory = {
  experiment: {
    id: 'exa/call_1',
    name: 'exa',
    metric: 'ms',
    direction: 'lower',
    command: 'echo METRIC ms=3',
    timeout_ms: 10_000,
    checks_timeout_ms: 10_000,
    max_runs: 2,
    checkpoint: 'a'.repeat(40),
    checkpoint_kept: true,
    pending: null,
  },
  runs: [run],
};

test('a run that ends with an unlogged benchmark is asked for it once', async () => {
  family = await runRunTree(
    {
      main: [
        { calls: [['use_tool', { name: 'run_experiment', args: {} }]] },
        { text: 'Done.' },
        { text: 'All is done.' },
      ],
    },
    { before: { experiment: before } },
  );
  const reported = textOf(family.seen.get('main')?.at(-1)?.messages.at(-1));
  expect([reported, family.result.answer, family.seen.get('main')?.length]).toEqual([
    'Run 2 of the experiment is not logged, and its change is still in the files. Call log_experiment with status keep or discard, so that it is kept or put back; then end with your whole answer again, as only the last message is posted.',
    'All is done.',
    3,
  ]);
});

test('a resumed run has its experiment, reports the earlier runs and passes all of them on', async () => {
  family = await runRunTree(
    {
      main: [
        { calls: [['use_tool', { name: 'run_experiment', args: {} }]] },
        { calls: [['use_tool', { name: 'log_experiment', args: { status: 'keep', description: 'less' } }]] },
        { calls: [['use_tool', { name: 'run_experiment', args: {} }]] },
        { text: 'Done.' },
      ],
    },
    { before: { experiment: before } },
  );
  const entries = family.entries.filter((entry) => entry.type === 'experiment');
  expect(
    entries.map(({ experiment, runs }) => [experiment.pending?.number, runs.map(({ number }) => number)]),
  ).toEqual([
    [undefined, [1]],
    [2, []],
    [undefined, [2]],
  ]);
  const lines = family.entries.map((entry, index) =>
    RunLedgerLine.parse({ v: 1, seq: index + 1, at: new Date(0).toISOString(), entry }),
  );
  const stopped = { kind: 'turns', message: 'No turns are left.' } as const;
  const saved = saveStopped({ ...family.result, conclusion: 'limit', stop: stopped as never }, lines, {
    plan: null,
    patch: '',
    now: new Date(0),
  });
  expect(saved?.experiment).toEqual({
    experiment: { ...before.experiment, checkpoint: expect.any(String), pending: null },
    runs: [
      run,
      {
        ...run,
        number: 2,
        status: 'keep',
        value: 3,
        description: 'less',
        commit: expect.any(String),
        duration_ms: expect.any(Number),
      },
    ],
  });
});
