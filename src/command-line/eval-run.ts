import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RunStopped } from '../contract/errors.ts';
import type { SandboxMode } from '../contract/levels.ts';
import { append } from '../contract/lists.ts';
import { Outcome } from '../contract/outcome.ts';
import type { EvalTask, TranscriptAnswer } from '../evals/eval-task.ts';
import type { EvalCandidate } from '../evals/trial-result.ts';
import { startScriptedEndpoint } from '../evidence/scripted-endpoint.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import type { CommandContext } from './local-run.ts';
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
export interface EndedRun {
  readonly outcome: Outcome;
  /** Its record in the repository. */
  readonly record: string;
  readonly questions: readonly string[];
}

/** Runs a task with a prompt, and answers its questions. */
export type RunTask = (prompt: string) => Promise<EndedRun>;

/**
 * Calls `use` with the function that runs a task, by the model or by the script. Each run continues
 * the script. The task's limit of time is that of all of it.
 */
export async function withTaskRuns<Result>(
  trial: TaskTrial,
  root: string,
  settings: TrialSettings,
  use: (run: RunTask) => Promise<Result>,
): Promise<Result> {
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
    return await use((prompt) => runToEnd(trial, { root, prompt }, settings, { environment, signal }));
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
  { root, prompt }: { readonly root: string; readonly prompt: string },
  settings: TrialSettings,
  context: Pick<CommandContext, 'environment' | 'signal'>,
): Promise<EndedRun> {
  const { task } = trial;
  const questions: string[] = [];
  let ended = await runOnce(root, context, (captured) =>
    task.verb === 'review'
      ? reviewCommand(['--base', 'HEAD~1', '--format', 'json', ...optionsOf(trial, root, settings)], captured)
      : runCommand(
          ['--prompt', prompt, ...profileOf(trial, settings), ...json, ...optionsOf(trial, root, settings)],
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

/** Returns the prompt of a task's first run. */
export function promptOf(task: EvalTask, candidate: EvalCandidate): string {
  // A function, as a text would be searched for patterns such as `$&`.
  return candidate.prompt === null
    ? task.prompt
    : candidate.prompt.text.replaceAll('{{prompt}}', () => task.prompt);
}
