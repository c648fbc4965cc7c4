import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Experiment, ExperimentHistory, PendingRun } from '../../contract/experiment.ts';
import type { CommandResult } from '../../sandbox/command-runner.ts';
import { type CapturedOutput, OutputCapture } from '../shell/output-capture.ts';
import { recordChanges } from '../shell/record-changes.ts';
import { refuseFullScreen } from '../shell/refuse-full-screen.ts';
import { describeEnd } from '../shell/render-exit.ts';
import { defineTool, type Prepared, type ToolContext, toJson } from '../tool.ts';
import {
  commandSchema,
  compareValue,
  currentExperiment,
  saveExperiment,
  timeoutSchema,
  withUnit,
} from './experiment-state.ts';
import { createMetricReader } from './read-metrics.ts';

const input = z.object({
  command: commandSchema().describe('in place of the configured one'),
  timeout_ms: timeoutSchema(),
  checks_timeout_ms: timeoutSchema(),
});

/** Runs the benchmark of the experiment once. Its command is evaluated like one of `bash`. */
export const runExperiment = defineTool({
  name: 'run_experiment',
  argumentAliases: { cmd: 'command', timeout: 'timeout_ms', checks_timeout: 'checks_timeout_ms' },
  description:
    'Run the benchmark of the experiment, read its metrics, and run the checks. Every run has to be logged by log_experiment before the next.',
  exposure: 'deferred',
  input,
  level: 'confirm_execute',
  targets: ({ command }) => ({
    what: command ?? 'the benchmark',
    ...(command === undefined ? {} : { commands: [command] }),
  }),
  async prepare(args, context) {
    const history = currentExperiment(context);
    refuseUntilLogged(history);
    const { experiment } = history;
    const command = args.command ?? experiment.command;
    if (command === undefined)
      throw invalidInput('command: the experiment has none of its own, so this run needs one.');
    const state: Measurement = {
      command,
      checks: experiment.checks,
      timeoutMs: args.timeout_ms ?? experiment.timeout_ms,
      checksTimeoutMs: args.checks_timeout_ms ?? experiment.checks_timeout_ms,
    };
    const commands = [command, ...(state.checks === undefined ? [] : [state.checks])];
    return { targets: { what: commands.join(' && '), commands }, diff: '', state };
  },
  async execute(_, context, prepared) {
    const history = currentExperiment(context);
    refuseUntilLogged(history);
    const { experiment, runs } = history;
    let measured: Measured;
    try {
      measured = await measure(measurementOf(prepared), experiment, runs.length + 1, context);
    } finally {
      await recordChanges(context, 'run_experiment');
    }
    const { pending } = measured;
    saveExperiment(context, { experiment: { ...experiment, pending }, runs });
    const spill = measured.outputs[0]?.output.spill ?? null;
    return {
      content: renderRun(measured, history),
      data: toJson({ run: pending }),
      ...(spill === null ? {} : { spill }),
    };
  },
});

function measurementOf(prepared: Prepared | undefined): Measurement {
  if (prepared === undefined) throw new Error('run_experiment is executed after it was prepared');
  return prepared.state as Measurement;
}

function refuseUntilLogged({ experiment, runs }: ExperimentHistory): void {
  const { pending, max_runs } = experiment;
  if (pending !== null)
    throw new ToolError(
      'not_logged',
      `Run ${pending.number} is not logged yet. Call log_experiment with ${statusFor(pending, runs.length === 0)} first.`,
    );
  if (max_runs !== null && runs.length >= max_runs)
    throw new ToolError(
      'used_up',
      `All ${max_runs} runs of the experiment ${experiment.name} were made. Report the result in your answer.`,
    );
}

/** Names the statuses a run could be logged with. */
function statusFor({ outcome }: PendingRun, first: boolean): string {
  if (outcome !== 'measured') return `status ${outcome}`;
  return first ? 'status baseline' : 'status keep or discard';
}

function renderRun({ pending, outputs }: Measured, history: ExperimentHistory): string {
  const { experiment, runs } = history;
  const { number, value, metrics, outcome, why, duration_ms } = pending;
  const measured = value === null ? 'no value' : `${experiment.metric} ${withUnit(value, experiment)}`;
  const compared = value === null ? '' : compareValue(value, history);
  const others = Object.entries(metrics).map(([name, one]) => `${name} ${one}`);
  return [
    `Run ${number}: ${outcome === 'measured' ? measured : `${outcome}, as ${why}`}${compared === '' || outcome !== 'measured' ? '' : `, ${compared}`} (${(duration_ms / 1_000).toFixed(1)} s).`,
    ...(outcome === 'checks_failed'
      ? [`It measured ${measured}${compared === '' ? '' : `, ${compared}`}.`]
      : []),
    ...(others.length === 0 ? [] : [`Also: ${others.join(', ')}.`]),
    ...(outcome === 'measured' && experiment.checks !== undefined ? ['The checks passed.'] : []),
    `Now call log_experiment with ${statusFor(pending, !runs.some(({ status }) => status === 'baseline'))}.`,
    ...outputs.map(({ title, output }) => `--- ${title}\n${output.text.replace(/\n$/, '') || '(none)'}`),
  ].join('\n');
}

/** The inputs of one run. */
interface Measurement {
  readonly command: string;
  readonly checks: string | undefined;
  readonly timeoutMs: number;
  readonly checksTimeoutMs: number;
}

/** The result of a run, and the output of its commands. */
interface Measured {
  readonly pending: PendingRun;
  readonly outputs: readonly { readonly title: string; readonly output: CapturedOutput }[];
}

/**
 * Runs the benchmark and, if it measured the primary metric, the checks. A command that fails,
 * times out or prints no metric is an outcome to log, not an error.
 */
async function measure(
  { command, checks, timeoutMs, checksTimeoutMs }: Measurement,
  { metric }: Experiment,
  number: number,
  context: ToolContext,
): Promise<Measured> {
  refuseFullScreen(command);
  if (checks !== undefined) refuseFullScreen(checks);
  const reader = createMetricReader(metric);
  const run = await runOne({ command, timeoutMs, name: context.callId, listen: reader.push }, context);
  const { value, others: metrics } = reader.finish();
  const pending = { number, value, metrics, duration_ms: Math.round(run.result.durationMs) };
  const outputs = [{ title: 'output', output: run.output }];
  const failed = failureOf(run.result, timeoutMs);
  if (failed !== null) return { pending: { ...pending, outcome: 'crash', why: `it ${failed}` }, outputs };
  if (value === null) {
    const why = `it printed no number for ${metric}; print a line METRIC ${metric}=<number>`;
    return { pending: { ...pending, outcome: 'crash', why }, outputs };
  }
  if (checks === undefined) return { pending: { ...pending, outcome: 'measured', why: '' }, outputs };
  const name = `${context.callId}-checks`;
  const checked = await runOne({ command: checks, timeoutMs: checksTimeoutMs, name }, context);
  const broken = failureOf(checked.result, checksTimeoutMs);
  return {
    pending: {
      ...pending,
      outcome: broken === null ? 'measured' : 'checks_failed',
      why: broken === null ? '' : `the checks: ${checks} ${broken}`,
    },
    // Passing checks produce no output.
    outputs:
      broken === null ? outputs : [...outputs, { title: 'output of the checks', output: checked.output }],
  };
}

async function runOne(
  {
    command,
    timeoutMs,
    name,
    listen,
  }: { command: string; timeoutMs: number; name: string; listen?: (chunk: Buffer) => void },
  context: ToolContext,
): Promise<{ readonly result: CommandResult; readonly output: CapturedOutput }> {
  const capture = new OutputCapture(context.spillFolder, name);
  try {
    const result = await context.commands.run({
      command: `exec 2>&1; ${command}`,
      cwd: context.workspace.root,
      timeoutMs,
      signal: context.signal,
      onOutput: (chunk) => {
        capture.push(chunk);
        listen?.(chunk);
      },
    });
    return { result, output: capture.finish() };
  } finally {
    capture.finish();
  }
}

function failureOf(result: CommandResult, timeoutMs: number): string | null {
  if (result.timedOut) return `was stopped after ${timeoutMs} ms`;
  return result.exitCode === 0 ? null : describeEnd(result);
}
