import { describe, expect, test } from 'vitest';
import type { ExperimentRun, PendingRun } from '../../../src/contract/experiment.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { compareValue, historyLines, withUnit } from '../../../src/tools/experiment/experiment-state.ts';
import { logExperiment } from '../../../src/tools/experiment/log-experiment.ts';
import { baseline, experiment, logged, measured, open, type Played } from './played-experiment.ts';

const goOn = 'Change one thing, then call run_experiment again.';

describe('a result to keep', () => {
  test('is committed, compared in the report, and the base to which later runs return', async () => {
    const played = open({ pending: measured(2, 30), more: { max_runs: 4 } });
    const run = {
      ...{ number: 2, value: 30, metrics: {}, duration_ms: 5, status: 'keep', description: 'less' },
      commit: 'a'.repeat(40),
    };
    expect(
      await played.log({ status: 'Keep', description: ' less ', commit_message: 'Do less\nmore' }),
    ).toEqual({
      lines: [
        'Run 2 is logged as keep: 25.0 % better than the baseline (40 ms).',
        'Committed as aaaaaaaaaaaa; the run publishes all kept changes as one at its end.',
        '1. baseline 40 ms: as it is',
        '2. keep 30 ms (best): less',
        'Change one thing, then call run_experiment again (2 runs left).',
      ],
      data: { run, best: 2, runs: 2 },
    });
    const after = { ...experiment, max_runs: 4, checkpoint: 'tree_1', checkpoint_kept: true, pending: null };
    expect(played.context.state.experiment).toEqual({ experiment: after, runs: [baseline, run] });
    expect(played.recorded).toEqual([{ type: 'experiment', experiment: after, runs: [run] }]);
    expect([...played.written]).toEqual([
      ['scratch/experiments/checkpoint.patch', 'the patch'],
      [
        expect.stringMatching(/^scratch\/experiments\/tuning-[0-9a-f]{6}\.jsonl$/),
        `${JSON.stringify(run)}\n`,
      ],
    ]);
    expect(played.ran).toEqual([
      {
        command: expect.stringMatching(/^exec 2>&1; set -e\n/),
        ...{ cwd: '/w', timeoutMs: 60_000, signal: played.context.signal },
        stdin: 'Do less\n\ntuning, run 2: p95 30 ms, 25.0 % better than the baseline (40 ms).\n',
      },
    ]);
  });

  test.for<[JsonObject, Partial<PendingRun>, string]>([
    [
      { description: 'less\nmore' },
      {},
      'less\n\ntuning, run 2: p95 30 ms, 25.0 % better than the baseline (40 ms).\n',
    ],
    [{}, {}, 'tuning: p95 30 ms\n\ntuning, run 2: p95 30 ms, 25.0 % better than the baseline (40 ms).\n'],
    [
      { commit_message: 'x'.repeat(201) },
      { value: 40 },
      `${'x'.repeat(200)}\n\ntuning, run 2: p95 40 ms, the same as the baseline (40 ms).\n`,
    ],
  ])('with %j and %j has this commit message', async ([input, more, message]) => {
    const { log, ran } = open({ pending: measured(2, 30, more) });
    await log({ status: 'keep', ...input });
    expect((ran[0] as { stdin: string }).stdin).toBe(message);
  });

  test('stays in the checkout if it cannot be committed, which is reported', async () => {
    const lines = async (git: boolean | string) =>
      ((await open({ pending: measured(2, 30), git }).log({ status: 'keep' })) as { lines: string[] })
        .lines[1];
    expect([await lines(false), await lines(' no  name\nset '), await lines('')]).toEqual([
      'The change is kept, but not committed: the folder is not a git repository.',
      'The change is kept, but not committed: git said: no name set.',
      'The change is kept, but not committed: git said: nothing.',
    ]);
  });

  test('is marked if it is not the best', async () => {
    const runs = [baseline, logged(2, 'keep', 20)];
    const { log } = open({ pending: measured(3, 30), runs });
    expect(await log({ status: 'keep' })).toMatchObject({
      lines: [
        'Run 3 is logged as keep: 25.0 % better than the baseline (40 ms), 50.0 % worse than the best, run 2 (20 ms).',
        'It is not the best so far; say in its description why it is kept.',
        expect.stringMatching(/^Committed as/),
        '1. baseline 40 ms: as it is',
        '2. keep 20 ms (best)',
        '3. keep 30 ms',
        goOn,
      ],
      data: { best: 2, runs: 3 },
    });
  });

  test('is the baseline without a commit if it is the first', async () => {
    const { log, ran, written } = open({ pending: measured(1, 40), runs: [], more: { max_runs: 1 } });
    expect(await log({ status: 'baseline' })).toMatchObject({
      lines: [
        'Run 1 is logged as baseline.',
        '1. baseline 40 ms (best)',
        'That was the last run. Report the result in your answer.',
      ],
      data: { best: 1, runs: 1 },
    });
    expect([ran, written.get('scratch/experiments/checkpoint.patch')]).toEqual([[], 'the patch']);
  });
});

describe('a result to drop', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);

  test('is reverted, stored as a patch, and listed with up to ten files', async () => {
    const note = async (changed: string[], left: string[] = []) => {
      const { log, written } = open({ pending: measured(2, 90), changed, left });
      const { lines } = (await log({ status: 'discard' })) as { lines: string[] };
      const patches = [...written].filter(([path]) => path.endsWith('-run-2.patch')).map(([, text]) => text);
      return [lines.slice(1, -3).map((line) => line.replace(/-[0-9a-f]{6}-/, '-HASH-')), patches];
    };
    const stored = 'The change is kept as scratch/experiments/tuning-HASH-run-2.patch (workspace.read_file).';
    expect([
      await note(['a', 'b']),
      await note(names(10)),
      await note(names(11)),
      await note(['a', 'b'], ['b']),
      await note(['b'], ['b']),
      await note([]),
    ]).toEqual([
      [['Put back: a, b.', stored], ['dropped']],
      [[`Put back: ${names(10).join(', ')}.`, stored], ['dropped']],
      [[`Put back: ${names(10).join(', ')} and 1 more.`, stored], ['dropped']],
      [['Put back: a.', stored, 'Could not be put back, so take it back yourself: b.'], ['dropped']],
      [['Put back: .', stored, 'Could not be put back, so take it back yourself: b.'], ['dropped']],
      [['Nothing had to be reverted.'], []],
    ]);
  });

  test('stays in the checkout if requested', async () => {
    const { log, ran, written } = open({
      pending: measured(2, null, { outcome: 'crash', why: 'it broke' }),
      changed: ['a'],
    });
    expect(await log({ status: 'crash', revert: 'false' })).toEqual({
      lines: [
        'Run 2 is logged as crash.',
        'The files stay as they are.',
        '1. baseline 40 ms (best): as it is',
        '2. crash no value: it broke',
        goOn,
      ],
      data: {
        run: {
          number: 2,
          value: null,
          metrics: {},
          duration_ms: 5,
          status: 'crash',
          description: 'it broke',
        },
        ...{ best: 1, runs: 2 },
      },
    });
    expect([ran, [...written.keys()].length]).toEqual([[], 1]);
  });

  test('cannot be reverted if the checkpoint is gone', async () => {
    expect(await open({ pending: measured(2, 90), found: false }).log({ status: 'discard' })).toBe(
      'unavailable: The files cannot be reverted: the run continued elsewhere, and the earlier state does not fit there. Undo your change with the edit tools, then log again with revert: false.',
    );
  });
});

describe('the measured result limits the statements about it', () => {
  const failed = measured(2, 30, { outcome: 'checks_failed', why: 'the checks: x' });
  const nothing = measured(2, null, { outcome: 'crash', why: 'it broke' });
  const started =
    'status: there is a baseline already. Log this run as keep or discard; init_experiment with reset: true begins anew.';

  test.for<[Played, JsonObject, string]>([
    [{}, { status: 'keep' }, 'nothing_to_log: There is no run to log. Call run_experiment first.'],
    ...['keep', 'baseline'].map((status): [Played, JsonObject, string] => [
      { pending: failed, runs: status === 'keep' ? [baseline] : [] },
      { status },
      'invalid_input: status: run 2 failed its checks (the checks: x). Log it as checks_failed.',
    ]),
    ...['keep', 'baseline'].map((status): [Played, JsonObject, string] => [
      { pending: nothing, runs: status === 'keep' ? [baseline] : [] },
      { status },
      'invalid_input: status: run 2 measured nothing (it broke). Log it as crash, or give metric_value if its output has the value in another form.',
    ]),
    [{ pending: measured(2, 3) }, { status: 'baseline' }, `invalid_input: ${started}`],
    [
      { pending: measured(2, 3), runs: [logged(1, 'discard', 3)] },
      { status: 'keep' },
      'invalid_input: status: there is no baseline to be better than. Log this run as baseline.',
    ],
    [
      { pending: measured(2, 3) },
      { status: 'discard', revert: false },
      'invalid_input: revert: a discarded run is reverted; to continue with the change log it as keep.',
    ],
  ])('%j', async ([played, input, words]) => {
    expect(await open(played).log(input)).toBe(words);
  });
});

test('a stated value replaces the measured one, which is stored beside it', async () => {
  const run = async (pending: PendingRun, metric_value: number | string) => {
    const { data } = (await open({ pending }).log({ status: 'keep', metric_value })) as unknown as {
      data: { run: ExperimentRun };
    };
    const { value, stated, metrics } = data.run;
    return { value, stated, metrics };
  };
  expect([
    await run(measured(2, 30, { metrics: { hits: 7 } }), 25),
    await run(measured(2, 30, { metrics: { hits: 7 } }), '30 ms'),
    await run(measured(2, null, { metrics: { hits: 7 } }), 25),
  ]).toEqual([
    { value: 25, stated: true, metrics: { 'measured p95': 30, hits: 7 } },
    { value: 30, stated: undefined, metrics: { hits: 7 } },
    { value: 25, stated: true, metrics: { hits: 7 } },
  ]);
  const { data } = (await open({ pending: measured(2, 9, { why: 'w'.repeat(301) }) }).log({
    status: 'discard',
  })) as unknown as {
    data: { run: ExperimentRun };
  };
  expect(data.run.description).toBe('w'.repeat(300));
});

test.for([
  ['12', 12],
  [' -1.5 ms ', -1.5],
  ['+.5%', 0.5],
  ['2.', 2],
  ['1e3', 1000],
  ['1.5E-2 s', 0.015],
  ['12 per second', 12],
  ['12 per minutes', undefined],
  ['12 milliseconds', undefined],
  ['1.2.3', undefined],
  ['ms 12', undefined],
  ['', undefined],
  ['12 x4', undefined],
] as const)('the value %j is %s', ([text, value]) => {
  const read = logExperiment.input.safeParse({ status: 'keep', metric_value: text });
  expect(read.success ? (read.data as { metric_value: number }).metric_value : undefined).toBe(value);
});

test.for([
  ['Keep', 'keep'],
  [' CHECKS FAILED ', 'checks_failed'],
  ['checks-failed', 'checks_failed'],
  ['checks  - failed', 'checks_failed'],
  ['kept', undefined],
  [3, undefined],
] as const)('the status %j is %s', ([given, status]) => {
  const read = logExperiment.input.safeParse({ status: given });
  expect(read.success ? (read.data as { status: string }).status : undefined).toBe(status);
});

test('a value is displayed with its unit and six digits', () => {
  expect([withUnit(12.3456789, { unit: 'ms' }), withUnit(12, { unit: '' }), withUnit(1_234_567, {})]).toEqual(
    ['12.3457 ms', '12', '1234570'],
  );
});

test('values are compared in percent, except with zero', () => {
  const history = (direction: 'lower' | 'higher', ...runs: ExperimentRun[]) => ({
    experiment: { ...experiment, direction },
    runs,
  });
  const zero = logged(1, 'baseline', 0);
  expect([
    compareValue(36, history('lower', baseline)),
    compareValue(37, history('lower', baseline)),
    compareValue(44, history('higher', baseline)),
    compareValue(36.4, history('higher', baseline)),
    compareValue(3, history('lower', zero)),
    compareValue(3, history('lower')),
    compareValue(10, history('higher', baseline, logged(2, 'keep', 80), logged(3, 'discard', 90))),
  ]).toEqual([
    '10.0 % better than the baseline (40 ms)',
    '7.50 % better than the baseline (40 ms)',
    '10.0 % better than the baseline (40 ms)',
    '9.00 % worse than the baseline (40 ms)',
    'the baseline 0 ms',
    '',
    '75.0 % worse than the baseline (40 ms), 87.5 % worse than the best, run 2 (80 ms)',
  ]);
});

test('twelve runs are listed, and earlier ones counted', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => logged(index + 1, 'discard', index));
  const lines = (...runs: ExperimentRun[]) => historyLines({ experiment, runs }).split('\n');
  expect([lines(...many(12)).length, lines(...many(13)).slice(0, 2)]).toEqual([
    12,
    ['(1 earlier runs)', '2. discard 1 ms'],
  ]);
  expect(
    lines(
      logged(1, 'baseline', 4, { stated: true, description: ' a \n b ' }),
      logged(2, 'crash', null, { description: 'd'.repeat(121) }),
      logged(3, 'keep', 5, { description: 'd'.repeat(120) }),
    ),
  ).toEqual([
    '1. baseline 4 ms, stated (best): a b',
    `2. crash no value: ${'d'.repeat(119)}…`,
    `3. keep 5 ms: ${'d'.repeat(120)}`,
  ]);
});
