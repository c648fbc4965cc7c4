import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import { ConfigError, RunStopped } from '../contract/errors.ts';
import type { SandboxMode } from '../contract/levels.ts';
import { append } from '../contract/lists.ts';
import { Outcome } from '../contract/outcome.ts';
import { noUsage } from '../contract/usage.ts';
import { type CheckedOutcome, type EvalTask, noOutcome, type TranscriptAnswer } from '../evals/eval-task.ts';
import { runCheck, type TaskCheckResult } from '../evals/run-task-check.ts';
import type { EvalCandidate, TrialResult } from '../evals/trial-result.ts';
import { makeTrialTree, patchTree } from '../evals/trial-tree.ts';
import { startScriptedEndpoint } from '../evidence/scripted-endpoint.ts';
import { transcriptOfRun } from '../evidence/transcript-of-run.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { resumeCommand } from './resume-command.ts';
import { reviewCommand } from './review-command.ts';
import { runCommand } from './run-command.ts';

/** Settings of all trials. */
export interface TrialSettings {
  readonly sandbox: SandboxMode;
  readonly config: string | undefined;
  readonly preset: string | undefined;
  readonly maxTurns: string | undefined;
  /** A folder of our own, deleted at the end of the evaluation. */
  readonly folder: string;
  readonly context: CommandContext;
}

/** One trial to make. */
export interface TaskTrial {
  readonly task: EvalTask;
  readonly candidate: EvalCandidate;
  readonly attempt: number;
  /** The answers of the scripted model; null for a real one. */
  readonly script: readonly TranscriptAnswer[] | null;
  /** Folder of its record; null if it is not kept. */
  readonly keep: string | null;
}

/** The end of a task's last run. */
interface EndedRun {
  readonly outcome: Outcome;
  /** Its record in the repository. */
  readonly record: string;
  readonly questions: readonly string[];
}

/**
 * Makes one trial: a fresh repository, a run on it, and the check of what it left. Throws
 * `ConfigError` for settings with which no trial can run, and an abort's reason.
 */
export async function runTrial(trial: TaskTrial, settings: TrialSettings): Promise<TrialResult> {
  const { task, candidate, keep } = trial;
  const folder = path.join(settings.folder, 'trial');
  const root = path.join(folder, 'repository');
  await mkdir(folder);
  try {
    await makeTrialTree(task, root);
    const byPatch = candidate.by === 'reference' && trial.script === null;
    const ended = byPatch ? null : await runTask(trial, root, settings);
    if (byPatch && task.reference?.patch != null) await patchTree(task, task.reference.patch, root);
    settings.context.signal.throwIfAborted();
    const outcome = ended === null ? referenceOutcome(task) : checkedOutcome(ended);
    const check = await runCheck({
      ...{ task, root, outcome, folder: path.join(folder, 'check'), sandbox: settings.sandbox },
      ...{ environment: settings.context.environment, signal: settings.context.signal },
    });
    const result = resultOf(trial, ended, check);
    if (keep !== null) await keepTrial(keep, { result, check, outcome, root, record: ended?.record ?? null });
    return result;
  } finally {
    await removeTree(folder);
  }
}

/**
 * Checks a task before any run. Returns why it is not valid: its check passes already, or cannot be
 * run. Null for a valid task.
 */
export async function problemOfTask(task: EvalTask, settings: TrialSettings): Promise<string | null> {
  const folder = path.join(settings.folder, 'before');
  const root = path.join(folder, 'repository');
  await mkdir(folder);
  try {
    await makeTrialTree(task, root);
    const { result, output } = await runCheck({
      ...{ task, root, outcome: noOutcome, folder: path.join(folder, 'check'), sandbox: settings.sandbox },
      ...{ environment: settings.context.environment, signal: settings.context.signal },
    });
    if (result === 'failed') return null;
    return `${beforeRun[result]}${result === 'not_started' ? `: ${lastLine(output)}` : ''}`;
  } finally {
    await removeTree(folder);
  }
}

const beforeRun = {
  passed: 'its check passes before the run, so it would show nothing',
  timed_out: 'its check does not end in time before the run',
  not_started: 'its check cannot be started',
} as const;

/** Runs a task with the model, or with the script, and answers its questions. */
async function runTask(trial: TaskTrial, root: string, settings: TrialSettings): Promise<EndedRun> {
  const { task, script } = trial;
  const endpoint = script === null ? null : await startScriptedEndpoint(script);
  const late = new AbortController();
  const { timeoutSeconds } = task;
  const timer =
    timeoutSeconds === null
      ? null
      : setTimeout(() => late.abort(overTime(timeoutSeconds)), timeoutSeconds * 1000);
  const signal = AbortSignal.any([settings.context.signal, late.signal]);
  const environment = {
    ...(endpoint === null ? settings.context.environment : scripted(settings, endpoint.url)),
    XDG_STATE_HOME: path.join(settings.folder, 'state'),
  };
  try {
    return await runToEnd(trial, root, settings, { environment, signal });
  } finally {
    if (timer !== null) clearTimeout(timer);
    await endpoint?.close();
  }
}

const overTime = (seconds: number): RunStopped =>
  new RunStopped({ kind: 'time_limit', message: `The task's limit of ${seconds} seconds was reached.` });

/** The environment of a run by a script: no key, and no settings of the user. */
function scripted({ context, folder }: TrialSettings, url: string): CommandContext['environment'] {
  const { PATH } = context.environment;
  return { PATH, HOME: path.join(folder, 'home'), ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url };
}

async function runToEnd(
  trial: TaskTrial,
  root: string,
  settings: TrialSettings,
  context: Pick<CommandContext, 'environment' | 'signal'>,
): Promise<EndedRun> {
  const { task } = trial;
  const questions: string[] = [];
  let ended = await runOnce(root, context, (captured) =>
    task.verb === 'review'
      ? reviewCommand(['--base', 'HEAD~1', '--format', 'json', ...optionsOf(trial, root, settings)], captured)
      : runCommand(
          [
            '--prompt',
            promptOf(trial),
            ...profileOf(trial, settings),
            ...json,
            ...optionsOf(trial, root, settings),
          ],
          captured,
        ),
  );
  for (const answer of task.answers) {
    const { question, run_id, conclusion } = ended.outcome;
    if (conclusion !== 'waiting' || question === null || context.signal.aborted) break;
    append(questions, [question.question, ...question.questions.map((one) => one.question)]);
    ended = await runOnce(root, context, (captured) =>
      resumeCommand([run_id, answer, '--cwd', root, ...json], captured),
    );
  }
  const { question } = ended.outcome;
  if (question !== null) questions.push(question.question);
  return { ...ended, questions };
}

const json = ['--output', 'json'] as const;

/** Runs a command of ours, and reads the record of its run. */
async function runOnce(
  root: string,
  { environment, signal }: Pick<CommandContext, 'environment' | 'signal'>,
  command: (context: CommandContext) => Promise<number>,
): Promise<Pick<EndedRun, 'outcome' | 'record'>> {
  const output: string[] = [];
  const code = await command({
    ...{ environment, signal },
    write: (text) => void output.push(text),
    writeError: () => undefined,
  });
  const { run_id }: { readonly run_id?: string } = JSON.parse(output.join('') || '{}');
  if (run_id === undefined) throw new Error(`A run ended with exit code ${code}, without a result.`);
  const record = path.join(root, harnessFolder, run_id);
  return {
    record,
    outcome: Outcome.parse(JSON.parse(await readFile(path.join(record, 'outcome.json'), 'utf8'))),
  };
}

function optionsOf({ task, candidate, script }: TaskTrial, root: string, settings: TrialSettings): string[] {
  const model = script === null ? candidate.model : 'anthropic/scripted';
  const maxTurns = settings.maxTurns ?? task.maxTurns;
  return [
    ...['--cwd', root, '--sandbox', settings.sandbox],
    ...(model === null ? [] : ['--model', model]),
    ...(maxTurns === null ? [] : ['--max-turns', String(maxTurns)]),
    ...(settings.config === undefined ? [] : ['--config', settings.config]),
  ];
}

function profileOf({ task, candidate }: TaskTrial, settings: TrialSettings): string[] {
  const profile = candidate.profile ?? task.profile;
  const preset = settings.preset ?? task.preset;
  return [
    ...(profile === null ? [] : ['--profile', profile]),
    ...(preset === null ? [] : ['--preset', preset]),
  ];
}

function promptOf({ task, candidate }: TaskTrial): string {
  // A function, as a text would be searched for patterns such as `$&`.
  return candidate.prompt === null
    ? task.prompt
    : candidate.prompt.text.replaceAll('{{prompt}}', () => task.prompt);
}

function checkedOutcome({ outcome, questions }: EndedRun): CheckedOutcome {
  const { conclusion, answer, findings, refusals, changes } = outcome;
  return {
    ...{ conclusion, answer, findings, refusals, questions },
    changes: changes.files.map((file) => ({ path: file.path, kind: file.kind })),
  };
}

function referenceOutcome({ reference }: EvalTask): CheckedOutcome {
  return { ...noOutcome, conclusion: 'success', ...reference?.outcome };
}

function resultOf(
  { task, candidate, attempt }: TaskTrial,
  ended: EndedRun | null,
  check: TaskCheckResult,
): TrialResult {
  const passed = check.result === 'passed';
  const spent = {
    ...{ conclusion: null, model: null, profile: candidate.profile, run_id: null },
    ...{ turns: 0, usage: noUsage, cost_usd: 0, duration_ms: 0 },
    ...ended?.outcome,
  };
  const { conclusion, model, profile, run_id, turns, usage, cost_usd, duration_ms } = spent;
  const broken = conclusion === 'failure' || check.result === 'not_started';
  const notPassed = broken ? 'error' : 'failed';
  return {
    ...{ task: task.name, attempt, result: passed ? 'passed' : notPassed },
    why: passed ? null : logLine(whyNot(ended?.outcome ?? null, check)),
    ...{ conclusion, model, profile, run_id, turns, usage, cost_usd, duration_ms: Math.round(duration_ms) },
  };
}

/** Returns why a trial did not pass: what stopped the run, else what its check printed. */
function whyNot(outcome: Outcome | null, { result, output }: TaskCheckResult): string {
  if (outcome?.stop != null && outcome.conclusion !== 'waiting') return outcome.stop.message;
  return `check ${result}: ${lastLine(output)}`;
}

/** Returns the last line of a text that has one. */
function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '') ?? 'no output').slice(0, 200);
}

/** Keeps a trial: result, output of the check, records of its runs, and a transcript of it. */
async function keepTrial(
  keep: string,
  trial: {
    readonly result: TrialResult;
    readonly check: TaskCheckResult;
    readonly outcome: CheckedOutcome;
    readonly root: string;
    readonly record: string | null;
  },
): Promise<void> {
  await mkdir(path.dirname(keep), { recursive: true });
  await mkdir(keep).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EEXIST' ? 'it is there already' : cause.message;
    throw new ConfigError(`--keep: ${keep} cannot be made: ${why}.`, { file: keep }, { cause });
  });
  const { result, check, outcome, root, record } = trial;
  await writeFile(path.join(keep, 'result.json'), `${JSON.stringify({ ...result, outcome }, null, 2)}\n`);
  await writeFile(path.join(keep, 'check.txt'), check.output);
  if (record === null) return;
  await cp(path.join(root, harnessFolder), path.join(keep, 'runs'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const answers = transcriptOfRun(await readRunLedger(path.join(record, 'ledger.jsonl')));
  await writeFile(path.join(keep, 'transcript.json'), `${JSON.stringify(answers, null, 2)}\n`);
}
