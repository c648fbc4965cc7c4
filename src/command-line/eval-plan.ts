import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import type { EvalTask, TranscriptAnswer } from '../evals/eval-task.ts';
import { readPolyglot } from '../evals/read-polyglot.ts';
import { readEvalTasks, transcriptAt } from '../evals/read-tasks.ts';
import type { EvalCandidate, SkippedTask } from '../evals/trial-result.ts';
import type { TrialSettings } from './eval-run.ts';
import { lacksTools, problemOfTask } from './eval-trial.ts';
import { logLine } from './log-line.ts';
import { usageError } from './parse-arguments.ts';

/** Choice of tasks. */
export interface TaskChoice {
  readonly directory: string;
  /** Globs of names; empty for all. */
  readonly only: readonly string[];
  /** The exercises of a checkout of Aider's benchmark; null for a folder of tasks. */
  readonly polyglot: { readonly languages: readonly string[]; readonly limit: number | null } | null;
  readonly by: EvalCandidate['by'];
  /** Folder of transcripts. */
  readonly transcript: string | undefined;
}

/** A task with the script that plays it; null for a model. */
export interface PlannedTask {
  readonly task: EvalTask;
  readonly script: readonly TranscriptAnswer[] | null;
}

/** Tasks to run, and tasks that are not. */
export interface PlannedTasks {
  readonly planned: readonly PlannedTask[];
  readonly skipped: readonly SkippedTask[];
}

/** Reads the chosen tasks. A task that cannot run this way is skipped, with the reason. */
export async function planTasks(choice: TaskChoice): Promise<PlannedTasks> {
  const planned: PlannedTask[] = [];
  const skipped: SkippedTask[] = [];
  for (const task of limited(chosenOf(await readAll(choice), choice), choice)) {
    const script = await scriptOf(task, choice);
    const reason = missing(task, script, choice.by);
    if (reason === null) planned.push({ task, script });
    else skipped.push({ task: task.name, reason });
  }
  return { planned, skipped };
}

const readAll = ({ directory, polyglot, by }: TaskChoice): Promise<EvalTask[]> =>
  polyglot === null
    ? readEvalTasks(directory)
    : readPolyglot(directory, { languages: polyglot.languages, reference: by === 'reference' });

/** The most names of tasks in an error. */
const mostNamed = 20;

function chosenOf(all: readonly EvalTask[], { only }: TaskChoice): readonly EvalTask[] {
  if (only.length === 0) return all;
  const unknown = only.find((pattern) => !all.some((task) => isNamed(task, pattern)));
  if (unknown === undefined) return all.filter((task) => only.some((pattern) => isNamed(task, pattern)));
  const names = all.slice(0, mostNamed).map(({ name }) => name);
  const rest = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
  throw usageError('eval', `there is no task ${unknown}. The tasks: ${names.join(', ')}${rest}.`);
}

/** Compares a glob with the whole name, and with its last part. */
const isNamed = ({ name }: EvalTask, pattern: string): boolean =>
  path.matchesGlob(name, pattern) || path.matchesGlob(path.basename(name), pattern);

/** Keeps the first tasks of each language. */
function limited(tasks: readonly EvalTask[], { polyglot }: TaskChoice): readonly EvalTask[] {
  const limit = polyglot?.limit ?? null;
  if (limit === null) return tasks;
  return [...Map.groupBy(tasks, ({ name }) => path.dirname(name)).values()].flatMap((group) =>
    group.slice(0, limit),
  );
}

async function scriptOf(
  task: EvalTask,
  { by, transcript }: Pick<TaskChoice, 'by' | 'transcript'>,
): Promise<PlannedTask['script']> {
  if (by === 'reference') return task.reference?.transcript ?? null;
  if (transcript === undefined) return null;
  const places = [path.join(transcript, task.name), path.join(transcript, task.name, '1')];
  for (const place of places) {
    const found = await transcriptAt(path.join(place, 'transcript.json'));
    if (found !== null) return found;
  }
  return null;
}

function missing(task: EvalTask, script: PlannedTask['script'], by: EvalCandidate['by']): string | null {
  if (by === 'reference' && task.reference === null) return 'there is no reference solution';
  return by === 'transcript' && script === null ? 'there is no transcript' : null;
}

/**
 * Looks for the programs of the checks, and runs each check before the first trial. Throws
 * `ConfigError` for tasks that would show nothing, before anything is paid for; those of a
 * benchmark are skipped. An abort ends it with what was looked at.
 */
export async function onlyValid(
  { planned, skipped }: PlannedTasks,
  settings: TrialSettings,
): Promise<PlannedTasks> {
  const valid: PlannedTask[] = [];
  const left = [...skipped];
  const refused: string[] = [];
  const tools = new Map<string, Promise<boolean>>();
  for (const one of planned) {
    if (settings.context.signal.aborted) break;
    const { task } = one;
    const problem = (await missingTools(task, tools, settings)) ?? (await problemOfTask(task, settings));
    if (problem === null) valid.push(one);
    else if (task.onInvalid === 'skip') left.push({ task: task.name, reason: problem });
    else refused.push(`The task ${task.name} is not valid: ${problem}.`);
  }
  if (refused.length > 0) throw new ConfigError(logLine(refused.join(' ')), { key: 'check' });
  return { planned: valid, skipped: left };
}

/** Returns why the programs of a check are missing. Each command runs once. */
async function missingTools(
  task: EvalTask,
  known: Map<string, Promise<boolean>>,
  settings: TrialSettings,
): Promise<string | null> {
  const { tools } = task;
  if (tools === null) return null;
  const lacks = known.get(tools.command) ?? lacksTools({ ...task, tools }, settings);
  known.set(tools.command, lacks);
  return (await lacks) ? `${tools.missing} in the sandbox` : null;
}
