import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../../src/contract/experiment.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { initExperiment } from '../../../src/tools/experiment/init-experiment.ts';
import { runExperiment } from '../../../src/tools/experiment/run-experiment.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { experiment, measured, open, type Played } from './played-experiment.ts';

describe('the start of an experiment', () => {
  const input = { name: 'n', primary_metric: 'm', direction: 'min' };

  test('is reported with the next steps, and stored with its limits', async () => {
    const played = open({});
    Object.assign(played.context.state, { experiment: null });
    const all = {
      ...input,
      unit: 's',
      objective: 'o',
      command: 'make',
      checks: 'make test',
      scope: ['src'],
      max_runs: 3,
    };
    const { lines, data } = (await played.call(initExperiment, all)) as {
      lines: string[];
      data: { experiment: Experiment };
    };
    expect(lines).toEqual([
      'The experiment n begins: m, lower is better, at most 3 runs.',
      'Change nothing yet: call run_experiment, and log it as baseline.',
      'The command should print `METRIC m=<number>`; other METRIC lines are stored as secondary metrics.',
      'A run logged as discard, crash or checks_failed has its files reverted to the last run that was kept, except for files that git ignores.',
      'It runs without a network.',
    ]);
    expect(data.experiment).toEqual({
      ...{ id: 'n/call_9', name: 'n', objective: 'o', metric: 'm', unit: 's', direction: 'lower' },
      ...{
        command: 'make',
        checks: 'make test',
        timeout_ms: 600_000,
        checks_timeout_ms: 300_000,
        scope: ['src'],
      },
      ...{ max_runs: 3, checkpoint: 'tree_1', checkpoint_kept: true, pending: null },
    });
    expect(played.context.state.experiment.runs).toEqual([]);
  });

  test('reports a missing command or limit', async () => {
    const played = open({});
    Object.assign(played.context.commands, { sandboxed: false });
    const { lines, data } = (await played.call(initExperiment, {
      ...input,
      ...{ max_runs: 0, reset: true, timeout_ms: 5, checks_timeout_ms: 1_800_001 },
    })) as { lines: string[]; data: { experiment: Experiment } };
    expect([lines.slice(0, 2), lines.length, data.experiment]).toEqual([
      ['The experiment n begins: m, lower is better.', 'It has no command: give one to each run_experiment.'],
      4,
      {
        ...{ id: 'n/call_9', name: 'n', metric: 'm', direction: 'lower', timeout_ms: 5 },
        ...{
          checks_timeout_ms: 1_800_000,
          max_runs: null,
          checkpoint: 'tree_1',
          checkpoint_kept: true,
          pending: null,
        },
      },
    ]);
  });

  test('is refused while another runs, unless it is to start again', async () => {
    const refused =
      'Continue it, or call init_experiment with reset: true, which starts a new one and leaves the files unchanged.';
    expect([
      await open({ pending: measured(2, 3) }).call(initExperiment, input),
      await open({}).call(initExperiment, input),
    ]).toEqual([
      `exists: The experiment tuning is already active, with 1 runs. Its run 2 is not logged yet. ${refused}\n1. baseline 40 ms (best): as it is`,
      `exists: The experiment tuning is already active, with 1 runs. ${refused}\n1. baseline 40 ms (best): as it is`,
    ]);
  });

  test.for([
    ...['lower', 'MIN', 'minimize', 'minimise', 'down', 'decrease', 'less', 'lower_is_better'].map((word) => [
      word,
      'lower',
    ]),
    ...['higher', ' max ', 'maximize', 'maximise', 'up', 'increase', 'more', 'more_is_better'].map((word) => [
      word,
      'higher',
    ]),
    ...['lowest', 'minimum', 'xup', 'up_is_worse', 3].map((word) => [word, undefined]),
  ] as [unknown, string | undefined][])('accepts %j for %s', ([word, direction]) => {
    const read = initExperiment.input.safeParse({ ...input, direction: word });
    expect(read.success ? (read.data as { direction: string }).direction : undefined).toBe(direction);
  });
});

describe('a run', () => {
  const prepare = (played: ReturnType<typeof open>, input: JsonObject) =>
    runExperiment.prepare?.(runExperiment.input.parse(input), played.context as unknown as ToolContext);

  test('uses the configured command and checks, unless it has its own', async () => {
    const played = open({ more: { checks: 'make test', timeout_ms: 7, checks_timeout_ms: 8 } });
    const state = (command: string, timeoutMs: number, checksTimeoutMs: number) => ({
      targets: { what: `${command} && make test`, commands: [command, 'make test'] },
      ...{ diff: '', state: { command, checks: 'make test', timeoutMs, checksTimeoutMs } },
    });
    expect([
      await prepare(played, {}),
      await prepare(played, { command: 'make fast', timeout_ms: 1, checks_timeout_ms: 2 }),
      await prepare(open({}), {}),
    ]).toEqual([
      state('make', 7, 8),
      state('make fast', 1, 2),
      {
        targets: { what: 'make', commands: ['make'] },
        diff: '',
        state: { command: 'make', checks: undefined, timeoutMs: 600_000, checksTimeoutMs: 300_000 },
      },
    ]);
  });

  test('is refused until the one before is logged, and after the last one', async () => {
    const refused = (played: Played) => expect(prepare(open(played), {})).rejects;
    await refused({ pending: measured(2, 3) }).toThrow(
      'Run 2 is not logged yet. Call log_experiment with status keep or discard first.',
    );
    await refused({ pending: measured(1, 3), runs: [] }).toThrow('with status baseline first.');
    await refused({ pending: measured(1, 3, { outcome: 'crash' }), runs: [] }).toThrow(
      'with status crash first.',
    );
    await refused({ more: { max_runs: 1 } }).toThrow(
      'All 1 runs of the experiment tuning were made. Report the result in your answer.',
    );
    await refused({ more: { command: undefined } as never }).toThrow(
      'command: the experiment has none of its own, so this run needs one.',
    );
    expect(await prepare(open({ more: { max_runs: 2 } }), {})).toBeDefined();
  });

  test('is reported with its metrics, their comparison and the status to log', async () => {
    const run = async (output: string, played: Played, exits: readonly number[] = [0, 0]) => {
      const { context, recorded } = open(played);
      let at = 0;
      const requests: unknown[] = [];
      Object.assign(context.commands, {
        async run({ onOutput, ...request }: { onOutput: (chunk: Buffer) => void }) {
          requests.push(request);
          onOutput(Buffer.from(output));
          return { exitCode: exits[at++] ?? 0, signal: null, timedOut: false, durationMs: 1_250.4 };
        },
      });
      const full = context as unknown as ToolContext;
      const prepared = await runExperiment.prepare?.(runExperiment.input.parse({}), full);
      const { content, data } = await runExperiment.execute({}, full, prepared);
      return { lines: String(content).split('\n'), data, requests, recorded };
    };
    const checks = { more: { checks: 'make test' } };
    const good = await run('METRIC p95=30\nMETRIC hits=7\n', checks);
    expect(good.lines).toEqual([
      'Run 2: p95 30 ms, 25.0 % better than the baseline (40 ms) (1.3 s).',
      'Also: hits 7.',
      'The checks passed.',
      'Now call log_experiment with status keep or discard.',
      '--- output',
      'METRIC p95=30',
      'METRIC hits=7',
    ]);
    const pending = measured(2, 30, { metrics: { hits: 7 }, duration_ms: 1_250 });
    expect([good.data, good.recorded]).toEqual([
      { run: pending },
      [{ type: 'experiment', experiment: { ...experiment, ...checks.more, pending }, runs: [] }],
    ]);
    expect(good.requests).toMatchObject([
      { command: 'exec 2>&1; make', cwd: '/w', timeoutMs: 600_000 },
      { command: 'exec 2>&1; make test', cwd: '/w', timeoutMs: 300_000 },
    ]);
    expect((await run('METRIC p95=30\n', checks, [0, 2])).lines).toEqual([
      'Run 2: checks_failed, as the checks: make test ended with exit code 2 (1.3 s).',
      'It measured p95 30 ms, 25.0 % better than the baseline (40 ms).',
      'Now call log_experiment with status checks_failed.',
      ...['--- output', 'METRIC p95=30', '--- output of the checks', 'METRIC p95=30'],
    ]);
    expect((await run('', {}, [3])).lines).toEqual([
      'Run 2: crash, as it ended with exit code 3 (1.3 s).',
      'Now call log_experiment with status crash.',
      ...['--- output', '(none)'],
    ]);
    expect((await run('METRIC p95=1', { runs: [] })).lines).toEqual([
      'Run 1: p95 1 ms (1.3 s).',
      'Now call log_experiment with status baseline.',
      ...['--- output', 'METRIC p95=1'],
    ]);
  });
});
