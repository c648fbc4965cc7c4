import type { Experiment, PendingRun } from '../../contract/experiment.ts';
import type { CommandResult } from '../../sandbox/command-runner.ts';
import { describeEnd } from '../shell/describe-end.ts';
import { type CapturedOutput, OutputCapture } from '../shell/output-capture.ts';
import { refuseFullScreen } from '../shell/refuse-full-screen.ts';
import type { ToolContext } from '../tool.ts';
import { createMetricReader } from './read-metrics.ts';

/** The inputs of one run. */
export interface Measurement {
  readonly command: string;
  readonly checks: string | undefined;
  readonly timeoutMs: number;
  readonly checksTimeoutMs: number;
}

/** The result of a run, and the output of its commands. */
export interface Measured {
  readonly pending: PendingRun;
  readonly said: readonly { readonly title: string; readonly output: CapturedOutput }[];
}

/**
 * Runs the benchmark and, if it measured the primary metric, the checks. A command that fails,
 * times out or prints no metric is an outcome to log, not an error.
 */
export async function measure(
  { command, checks, timeoutMs, checksTimeoutMs }: Measurement,
  { metric }: Experiment,
  number: number,
  context: ToolContext,
): Promise<Measured> {
  refuseFullScreen(command);
  if (checks !== undefined) refuseFullScreen(checks);
  const reader = createMetricReader(metric);
  const run = await runOne(command, timeoutMs, context.callId, context, reader.push);
  const { value, others: metrics } = reader.finish();
  const pending = { number, value, metrics, duration_ms: Math.round(run.result.durationMs) };
  const said = [{ title: 'output', output: run.output }];
  const failed = failureOf(run.result, timeoutMs);
  if (failed !== null) return { pending: { ...pending, outcome: 'crash', why: `it ${failed}` }, said };
  if (value === null) {
    const why = `it told no number for ${metric}; print a line METRIC ${metric}=<number>`;
    return { pending: { ...pending, outcome: 'crash', why }, said };
  }
  if (checks === undefined) return { pending: { ...pending, outcome: 'measured', why: '' }, said };
  const checked = await runOne(checks, checksTimeoutMs, `${context.callId}-checks`, context);
  const broken = failureOf(checked.result, checksTimeoutMs);
  return {
    pending: {
      ...pending,
      outcome: broken === null ? 'measured' : 'checks_failed',
      why: broken === null ? '' : `the checks: ${checks} ${broken}`,
    },
    // Passing checks produce no output.
    said: broken === null ? said : [...said, { title: 'output of the checks', output: checked.output }],
  };
}

async function runOne(
  command: string,
  timeoutMs: number,
  name: string,
  context: ToolContext,
  listen: (chunk: Buffer) => void = () => undefined,
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
        listen(chunk);
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
