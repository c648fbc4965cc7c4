import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import { ConfigError } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcome.ts';
import { addUsage, noUsage } from '../contract/usage-sums.ts';
import { type CheckedOutcome, type EvalTask, noOutcome, type TaskTools } from '../evals/eval-task.ts';
import { runCheck, type TaskCheckResult } from '../evals/run-task-check.ts';
import { secondPrompt } from '../evals/second-prompt.ts';
import type { TrialResult } from '../evals/trial-result.ts';
import { makeTrialTree, patchTree } from '../evals/trial-tree.ts';
import { transcriptOfRun } from '../evidence/transcript-of-run.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import {
  type EndedRun,
  promptOf,
  type RunTask,
  type TaskTrial,
  type TrialSettings,
  withTaskRuns,
} from './eval-run.ts';
import { logLine } from './log-line.ts';

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
    if (byPatch && task.reference?.patch != null) await patchTree(task, task.reference.patch, root);
    const checkOf = (outcome: CheckedOutcome) =>
      runCheck({
        ...{ task, root, outcome, folder: path.join(folder, 'check'), sandbox: settings.sandbox },
        ...{ environment: settings.context.environment, signal: settings.context.signal },
      });
    const { ended, check } = byPatch
      ? { ended: [], check: await checkOf(referenceOutcome(task)) }
      : await withTaskRuns(trial, root, settings, (run) => tryTask(trial, run, checkOf));
    const result = resultOf(trial, ended, check);
    const last = ended.at(-1);
    const outcome = last === undefined ? referenceOutcome(task) : checkedOutcome(last);
    const records = ended.map(({ record }) => record);
    if (keep !== null) await keepTrial(keep, { result, check, outcome, root, records });
    return result;
  } finally {
    await removeTree(folder);
  }
}

/** Runs a task until its check passes, a run breaks, or its tries are used up. */
async function tryTask(
  { task, candidate }: TaskTrial,
  run: RunTask,
  checkOf: (outcome: CheckedOutcome) => Promise<TaskCheckResult>,
): Promise<{ ended: EndedRun[]; check: TaskCheckResult }> {
  const ended: EndedRun[] = [];
  // A reference is the solution, so it has no second try.
  const tries = candidate.by === 'reference' ? 1 : task.tries;
  for (let prompt = promptOf(task, candidate); ; ) {
    const last = await run(prompt);
    ended.push(last);
    const check = await checkOf(checkedOutcome(last));
    const isBroken = last.outcome.conclusion === 'failure' || check.result === 'not_started';
    if (check.result === 'passed' || isBroken || ended.length >= tries) return { ended, check };
    prompt = secondPrompt(promptOf(task, candidate), check.output);
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

/** Returns true if the programs that a check needs are missing, in its sandbox. */
export async function lacksTools(
  task: EvalTask & { readonly tools: TaskTools },
  settings: TrialSettings,
): Promise<boolean> {
  const folder = path.join(settings.folder, 'tools');
  const root = path.join(folder, 'empty');
  await mkdir(root, { recursive: true });
  try {
    const { result } = await runCheck({
      task: { ...task, tests: null, check: { command: task.tools.command, timeoutSeconds: 120 } },
      ...{ root, outcome: noOutcome, folder: path.join(folder, 'check'), sandbox: settings.sandbox },
      ...{ environment: settings.context.environment, signal: settings.context.signal },
    });
    return result !== 'passed';
  } finally {
    await removeTree(folder);
  }
}

const beforeRun = {
  passed: 'its check passes before the run, so it would show nothing',
  timed_out: 'its check does not end in time before the run',
  not_started: 'its check cannot be started',
} as const;

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
  ended: readonly EndedRun[],
  check: TaskCheckResult,
): TrialResult {
  const passed = check.result === 'passed';
  const outcome = ended.at(-1)?.outcome ?? null;
  const broken = outcome?.conclusion === 'failure' || check.result === 'not_started';
  const notPassed = broken ? 'error' : 'failed';
  return {
    ...{ task: task.name, attempt, result: passed ? 'passed' : notPassed },
    why: passed ? null : logLine(whyNot(outcome, check)),
    ...{ conclusion: outcome?.conclusion ?? null, model: outcome?.model ?? null },
    ...{ profile: outcome?.profile ?? candidate.profile, run_id: outcome?.run_id ?? null },
    ...{ tries: Math.max(1, ended.length), ...spentOf(ended.map((run) => run.outcome)) },
  };
}

/** Adds up what the tries of a trial used. */
function spentOf(outcomes: readonly Outcome[]) {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const costs = outcomes.map(({ cost_usd }) => cost_usd);
  return {
    turns: sum(outcomes.map(({ turns }) => turns)),
    usage: outcomes.reduce((all, { usage }) => addUsage(all, usage), noUsage),
    cost_usd: costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0)),
    duration_ms: Math.round(sum(outcomes.map(({ duration_ms }) => duration_ms))),
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
    readonly records: readonly string[];
  },
): Promise<void> {
  await mkdir(path.dirname(keep), { recursive: true });
  await mkdir(keep).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EEXIST' ? 'it is there already' : cause.message;
    throw new ConfigError(`--keep: ${keep} cannot be made: ${why}.`, { file: keep }, { cause });
  });
  const { result, check, outcome, root, records } = trial;
  await writeFile(path.join(keep, 'result.json'), `${JSON.stringify({ ...result, outcome }, null, 2)}\n`);
  await writeFile(path.join(keep, 'check.txt'), check.output);
  if (records.length === 0) return;
  await cp(path.join(root, harnessFolder), path.join(keep, 'runs'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const ledgers = records.map((record) => readRunLedger(path.join(record, 'ledger.jsonl')));
  const answers = (await Promise.all(ledgers)).flatMap(transcriptOfRun);
  await writeFile(path.join(keep, 'transcript.json'), `${JSON.stringify(answers, null, 2)}\n`);
}
