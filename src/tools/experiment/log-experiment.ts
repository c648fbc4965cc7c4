import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import {
  type Experiment,
  type ExperimentHistory,
  type ExperimentRun,
  experimentStatuses,
  type PendingRun,
} from '../../contract/experiment.ts';
import { bestRun } from '../../contract/experiment-results.ts';
import { flag, unlessNull } from '../input/lenient.ts';
import { OutputCapture } from '../shell/output-capture.ts';
import { recordChanges } from '../shell/record-changes.ts';
import { defineTool, type ToolContext, toJson } from '../tool.ts';
import { addToHistory, revertExperiment, saveCheckpointPatch } from './experiment-files.ts';
import {
  compareValue,
  currentExperiment,
  historyLines,
  saveExperiment,
  withUnit,
} from './experiment-state.ts';

const input = z.object({
  status: z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .trim()
            .toLowerCase()
            .replaceAll(/[\s-]+/g, '_')
        : value,
    z.enum(experimentStatuses),
  ),
  metric_value: unlessNull(z.preprocess(asNumber, z.number())).describe('instead of the measured value'),
  description: unlessNull(z.string().trim().max(1_000)),
  commit_message: unlessNull(z.string().trim().max(1_000)).describe('subject, for keep'),
  revert: flag().default(true).describe('false leaves the files of a crash or checks_failed as they are'),
});

type Call = z.output<typeof input>;

/** Logs the outcome of the last measured run: its change is committed or reverted. */
export const logExperiment = defineTool({
  name: 'log_experiment',
  argumentAliases: { metric: 'metric_value', value: 'metric_value', message: 'commit_message' },
  description:
    'Log the last run: baseline (the first), keep (an improvement, which is committed), discard, crash or checks_failed (the files are reverted).',
  exposure: 'deferred',
  input,
  level: 'confirm_write',
  targets: ({ status, description }) => ({ what: [status, description].filter(Boolean).join(': ') }),
  async execute(args, context) {
    const history = currentExperiment(context);
    const { pending } = history.experiment;
    if (pending === null)
      throw new ToolError('nothing_to_log', 'There is no run to log. Call run_experiment first.');
    refuseUnfit(args, pending, history);
    const accepts = args.status === 'baseline' || args.status === 'keep' || !args.revert;
    const logged = accepts
      ? await acceptRun(args, history, pending, context)
      : await rejectRun(args, history, pending, context);
    const { run, experiment, notes } = logged;
    const runs = [...history.runs, run];
    saveExperiment(context, { experiment: { ...experiment, pending: null }, runs });
    await addToHistory(context, experiment, run);
    return {
      content: renderLog(run, { experiment, runs }, history, notes),
      data: toJson({ run, best: bestRun({ experiment, runs })?.number ?? null, runs: runs.length }),
    };
  },
});

interface LoggedRun {
  readonly run: ExperimentRun;
  readonly experiment: Experiment;
  readonly notes: readonly string[];
}

/** Refuses a status that does not fit the measurement. */
function refuseUnfit(
  { status, metric_value, revert }: Call,
  pending: PendingRun,
  history: ExperimentHistory,
): void {
  const { number, outcome, why, value } = pending;
  const baseline = history.runs.some((run) => run.status === 'baseline');
  if ((status === 'keep' || status === 'baseline') && outcome === 'checks_failed')
    throw invalidInput(`status: run ${number} failed its checks (${why}). Log it as checks_failed.`);
  if ((status === 'keep' || status === 'baseline') && value === null && metric_value === undefined)
    throw invalidInput(
      `status: run ${number} measured nothing (${why}). Log it as crash, or give metric_value if its output has the value in another form.`,
    );
  if (status === 'baseline' && baseline)
    throw invalidInput(
      'status: there is a baseline already. Log this run as keep or discard; init_experiment with reset: true begins anew.',
    );
  if (status === 'keep' && !baseline)
    throw invalidInput('status: there is no baseline to be better than. Log this run as baseline.');
  if (status === 'discard' && !revert)
    throw invalidInput('revert: a discarded run is reverted; to continue with the change log it as keep.');
}

async function acceptRun(
  args: Call,
  history: ExperimentHistory,
  pending: PendingRun,
  context: ToolContext,
): Promise<LoggedRun> {
  const { experiment } = history;
  const run = runOf(args, pending, experiment);
  if (args.status !== 'baseline' && args.status !== 'keep')
    return { run, experiment, notes: ['The files stay as they are.'] };
  await recordChanges(context, 'log_experiment');
  const { tree, patch } = await context.workspace.checkpoints.take();
  const saved = await saveCheckpointPatch(context, 'log_experiment', patch);
  const now = { ...experiment, checkpoint: tree, checkpoint_kept: saved };
  if (args.status === 'baseline') return { run, experiment: now, notes: [] };
  const commit = await commitChange(messageOf(args, run, history), context);
  return 'sha' in commit
    ? {
        run: { ...run, commit: commit.sha },
        experiment: now,
        notes: [
          `Committed as ${commit.sha.slice(0, 12)}; the run publishes all kept changes as one at its end.`,
        ],
      }
    : { run, experiment: now, notes: [`The change is kept, but not committed: ${commit.problem}.`] };
}

async function rejectRun(
  args: Call,
  history: ExperimentHistory,
  pending: PendingRun,
  context: ToolContext,
): Promise<LoggedRun> {
  const { paths, left, patchPath: saved } = await revertExperiment(history, pending.number, context);
  const names = (all: readonly string[]) =>
    `${all.slice(0, 10).join(', ')}${all.length > 10 ? ` and ${all.length - 10} more` : ''}`;
  return {
    run: runOf(args, pending, history.experiment),
    experiment: history.experiment,
    notes: [
      paths.length === 0 && left.length === 0 ? 'Nothing had to be reverted.' : `Put back: ${names(paths)}.`,
      ...(saved === null ? [] : [`The change is kept as ${saved} (workspace.read_file).`]),
      ...(left.length === 0 ? [] : [`Could not be put back, so take it back yourself: ${names(left)}.`]),
    ],
  };
}

function runOf(
  { status, metric_value, description }: Call,
  pending: PendingRun,
  { metric }: Experiment,
): ExperimentRun {
  const { outcome: _, why, ...measured } = pending;
  const { value, metrics } = pending;
  // A stated value does not hide the measured one.
  const beside = value === null ? {} : { metrics: { [`measured ${metric}`]: value, ...metrics } };
  return {
    ...measured,
    status,
    ...(metric_value === undefined || metric_value === value
      ? {}
      : { value: metric_value, stated: true, ...beside }),
    description: description ?? (why === '' ? '' : why.slice(0, 300)),
  };
}

function messageOf(
  { commit_message, description }: Call,
  { number, value }: ExperimentRun,
  history: ExperimentHistory,
) {
  const { experiment } = history;
  const measured = value === null ? '' : `${experiment.metric} ${withUnit(value, experiment)}`;
  const [subject = ''] = (commit_message || description || `${experiment.name}: ${measured}`).split('\n');
  const compared = value === null ? '' : compareValue(value, history);
  return `${subject.slice(0, 200)}\n\n${experiment.name}, run ${number}: ${measured}${compared === '' ? '' : `, ${compared}`}.\n`;
}

function renderLog(
  run: ExperimentRun,
  after: ExperimentHistory,
  before: ExperimentHistory,
  notes: readonly string[],
): string {
  const { experiment, runs } = after;
  const { max_runs } = experiment;
  const compared = run.value === null ? '' : compareValue(run.value, before);
  const worse = run.status === 'keep' && bestRun(after)?.number !== run.number;
  return [
    `Run ${run.number} is logged as ${run.status}${compared === '' ? '' : `: ${compared}`}.`,
    ...(worse ? ['It is not the best so far; say in its description why it is kept.'] : []),
    ...notes,
    historyLines(after),
    max_runs !== null && runs.length >= max_runs
      ? 'That was the last run. Report the result in your answer.'
      : `Change one thing, then call run_experiment again${max_runs === null ? '' : ` (${max_runs - runs.length} runs left)`}.`,
  ].join('\n');
}

/** Parses a number given as a string, possibly with its unit. */
function asNumber(value: unknown): unknown {
  const digits =
    typeof value === 'string'
      ? /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*\D{0,10}$/i.exec(value)?.[1]
      : undefined;
  return digits === undefined ? value : Number(digits);
}

/** The commit of an accepted change: its SHA, or the reason there is none. */
type CommitResult = { readonly sha: string } | { readonly problem: string };

/**
 * Commits as all commits of a run are written, whatever the checkout's settings: fixed author, no
 * hooks, no signature. Excludes our own records and ignored files.
 */
const script = [
  'set -e',
  'git() { command git -c core.hooksPath=/dev/null -c commit.gpgSign=false -c user.name="Anode CI" -c user.email=anode-ci@users.noreply.github.com "$@"; }',
  'git add -A -- .',
  'git rm -r --quiet --cached --ignore-unmatch -- .anode-harness',
  'git commit --quiet --no-verify --allow-empty --file=-',
  'git rev-parse HEAD',
].join('\n');

const timeoutMs = 60_000;

/**
 * Commits the work tree into the git directory of the run, which its commands see instead of
 * `.git`. Without a sandbox too, so that a person's own branch gets no such commits. Git runs as
 * the model's commands do, as the model may have written its settings.
 */
async function commitChange(message: string, context: ToolContext): Promise<CommitResult> {
  const directory = await context.workspace.agentGitDirectory();
  if (directory === null) return { problem: 'the folder is not a git repository' };
  const capture = new OutputCapture(context.spillFolder, `${context.callId}-commit`);
  const { exitCode, timedOut } = await context.commands
    .run({
      command: `exec 2>&1; ${script}`,
      cwd: context.workspace.root,
      timeoutMs,
      signal: context.signal,
      stdin: message,
      ...(context.commands.sandboxed
        ? {}
        : { env: { GIT_DIR: directory, GIT_WORK_TREE: context.workspace.root } }),
      onOutput: capture.push,
    })
    // Closes the capture's file if git could not be run.
    .catch((error: unknown) => {
      capture.finish();
      throw error;
    });
  const said = capture.finish().text.trim();
  const sha = said.split('\n').at(-1) ?? '';
  if (exitCode === 0 && /^[0-9a-f]{40,64}$/.test(sha)) return { sha };
  const last = said.replaceAll(/\s+/g, ' ').slice(-200);
  return { problem: timedOut ? 'git took too long' : `git said: ${last || 'nothing'}` };
}
