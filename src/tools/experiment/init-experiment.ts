import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Experiment } from '../../contract/experiment.ts';
import { flag, integer, stringList, unlessNull } from '../input/lenient.ts';
import { recordChanges } from '../shell/record-changes.ts';
import { defineTool, type ToolContext, toJson } from '../tool.ts';
import { saveCheckpointPatch } from './experiment-files.ts';
import {
  commandSchema,
  defaultTimeouts,
  historyLines,
  refuseInChild,
  saveExperiment,
  timeoutSchema,
} from './experiment-state.ts';

const text = (most: number) => unlessNull(z.string().trim().max(most));

const input = z.object({
  name: z.string().trim().min(1).max(100).describe('short, such as exa-cache-tuning'),
  objective: text(1_000),
  primary_metric: z.string().trim().min(1).max(100).describe('such as latency_ms'),
  unit: text(20),
  direction: z.preprocess(directionWord, z.enum(['lower', 'higher'])).describe('which is better'),
  command: commandSchema().describe('benchmark; prints METRIC name=value'),
  scope: unlessNull(stringList(z.array(z.string().max(300)).max(50))),
  max_runs: unlessNull(integer(z.int().nonnegative().max(10_000))),
  reset: flag().default(false),
  checks: commandSchema().describe('has to pass after each run'),
  timeout_ms: timeoutSchema(),
  checks_timeout_ms: timeoutSchema(),
});

/** Begins an experiment: the metric, its command, and which direction is better. */
export const initExperiment = defineTool({
  name: 'init_experiment',
  argumentAliases: {
    metric: 'primary_metric',
    metric_name: 'primary_metric',
    metric_unit: 'unit',
    maxRuns: 'max_runs',
    checks_command: 'checks',
  },
  description:
    'Begin autoresearch: name a benchmark command, its primary metric, and whether lower or higher is better. Then change one thing, run_experiment, log_experiment, and again.',
  exposure: 'deferred',
  findBy: ['experiments', 'benchmark|measure'],
  input,
  level: 'confirm_write',
  targets: ({ name, primary_metric, direction }) => ({
    what: `${name}: ${primary_metric}, ${direction} is better`,
  }),
  async execute(args, context) {
    refuseInChild(context);
    const { state, workspace } = context;
    const active = state.experiment ?? null;
    if (active !== null && !args.reset) {
      const { name, pending } = active.experiment;
      const waits = pending === null ? '' : ` Its run ${pending.number} is not logged yet.`;
      throw new ToolError(
        'exists',
        `The experiment ${name} is already active, with ${active.runs.length} runs.${waits} Continue it, or call init_experiment with reset: true, which starts a new one and leaves the files unchanged.\n${historyLines(active)}`.trimEnd(),
      );
    }
    // The current state is what a rejected change is reverted to.
    await recordChanges(context, 'init_experiment');
    const { tree, patch } = await workspace.checkpoints.take();
    const experiment: Experiment = {
      id: `${args.name}/${context.callId}`,
      name: args.name,
      objective: args.objective,
      metric: args.primary_metric,
      unit: args.unit,
      direction: args.direction,
      command: args.command,
      checks: args.checks,
      timeout_ms: args.timeout_ms ?? defaultTimeouts.run,
      checks_timeout_ms: args.checks_timeout_ms ?? defaultTimeouts.checks,
      scope: args.scope,
      max_runs: args.max_runs === undefined || args.max_runs === 0 ? null : args.max_runs,
      checkpoint: tree,
      checkpoint_kept: await saveCheckpointPatch(context, 'init_experiment', patch),
      pending: null,
    };
    saveExperiment(context, { experiment, runs: [] });
    return { content: begun(experiment, context), data: toJson({ experiment }) };
  },
});

function begun(
  { name, metric, direction, command, max_runs }: Experiment,
  { commands }: ToolContext,
): string {
  return [
    `The experiment ${name} begins: ${metric}, ${direction} is better${max_runs === null ? '' : `, at most ${max_runs} runs`}.`,
    command === undefined
      ? 'It has no command: give one to each run_experiment.'
      : 'Change nothing yet: call run_experiment, and log it as baseline.',
    `The command should print \`METRIC ${metric}=<number>\`; other METRIC lines are stored as secondary metrics.`,
    'A run logged as discard, crash or checks_failed has its files reverted to the last run that was kept, except for files that git ignores.',
    ...(commands.sandboxed ? ['It runs without a network.'] : []),
  ].join('\n');
}

/** Normalises the words models use for the direction. */
function directionWord(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (/^(?:lower|min|minimi[sz]e|down|decrease|less)(?:_is_better)?$/.test(word)) return 'lower';
  return /^(?:higher|max|maximi[sz]e|up|increase|more)(?:_is_better)?$/.test(word) ? 'higher' : word;
}
