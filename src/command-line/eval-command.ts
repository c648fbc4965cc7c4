import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import { SandboxMode } from '../contract/levels.ts';
import { polyglotLanguages } from '../evals/polyglot-languages.ts';
import { evaluationReport, renderEvaluation } from '../evals/render-evaluation.ts';
import { summarise } from '../evals/summarise-trials.ts';
import {
  type CandidateResult,
  candidateName,
  type EvalCandidate,
  type TrialResult,
} from '../evals/trial-result.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import { onlyValid, type PlannedTask, planTasks } from './eval-plan.ts';
import type { TrialSettings } from './eval-run.ts';
import { runTrial } from './eval-trial.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { knownPreset, oneOf, parseArguments, usageError, wholeNumber } from './parse-arguments.ts';

const options = {
  model: { type: 'string' },
  profile: { type: 'string' },
  template: { type: 'string' },
  task: { type: 'string' },
  polyglot: { type: 'boolean' },
  language: { type: 'string' },
  limit: { type: 'string' },
  repeat: { type: 'string' },
  reference: { type: 'boolean' },
  transcript: { type: 'string' },
  least: { type: 'string' },
  keep: { type: 'string' },
  json: { type: 'boolean' },
  preset: { type: 'string' },
  sandbox: { type: 'string' },
  'max-turns': { type: 'string' },
  config: { type: 'string' },
} as const;

/**
 * Runs `anode eval DIR`: each task of a folder by each candidate, and checks what they did. Returns
 * the exit code: 1 if a candidate passed less than `--least`.
 */
export async function evalCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const chosen = await readOptions(args);
  const read = await planTasks(chosen);
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'anode-eval-')));
  try {
    const settings = { ...chosen, folder, context };
    const { planned, skipped } = await onlyValid(read, settings);
    const results = await runAll(planned, chosen, settings);
    const cut = context.signal.aborted;
    context.write(
      chosen.json
        ? `${JSON.stringify({ ...evaluationReport(results, skipped), interrupted: cut }, null, 2)}\n`
        : renderEvaluation(results, skipped),
    );
    if (cut) context.writeError('! The evaluation was interrupted; these are the trials that had ended.\n');
    const enough = results.every(({ trials }) => trials.length > 0 && isEnough(trials, chosen.least));
    return enough && !cut ? 0 : 1;
  } finally {
    await removeTree(folder);
  }
}

/** Shares are compared with a tolerance, as they are quotients. */
const isEnough = (trials: readonly TrialResult[], least: number): boolean =>
  summarise(trials).pass_rate >= least - 1e-9;

async function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments('eval', args, options);
  const [directory, ...others] = positionals;
  if (directory === undefined || others.length > 0) throw usageError('eval', 'it takes one folder of tasks.');
  const text = (name: keyof typeof options) => (typeof values[name] === 'string' ? values[name] : undefined);
  const by = wayOf(values);
  const preset = text('preset');
  if (preset !== undefined) knownPreset('eval', preset);
  wholeNumber('eval', 'max-turns', values['max-turns']);
  const prompts = await Promise.all(listOf(text('template')).map(readTemplate));
  return {
    ...{ directory, preset, transcript: text('transcript'), keep: text('keep'), config: text('config') },
    json: values.json === true,
    only: listOf(text('task')),
    polyglot: polyglotOf(values),
    repeat: wholeNumber('eval', 'repeat', values.repeat) ?? 1,
    least: leastOf(text('least') ?? '100%'),
    sandbox: oneOf(['eval', 'sandbox'], values.sandbox, SandboxMode.options, 'required'),
    maxTurns: text('max-turns'),
    by,
    candidates: orNone(listOf(text('model'))).flatMap((model) =>
      orNone(listOf(text('profile'))).flatMap((profile) =>
        orNone(prompts).map((prompt): EvalCandidate => ({ model, profile, prompt, by })),
      ),
    ),
  };
}

type Options = Awaited<ReturnType<typeof readOptions>>;

const orNone = <Item>(items: readonly Item[]): readonly (Item | null)[] =>
  items.length === 0 ? [null] : items;

/** Splits `a,b` without empty parts. */
const listOf = (text: string | undefined): string[] =>
  (text ?? '').split(',').flatMap((part) => part.trim() || []);

/** Returns the choice of exercises; null without `--polyglot`. */
function polyglotOf(values: Readonly<Record<string, string | boolean | undefined>>) {
  const { polyglot, language, limit } = values;
  if (polyglot !== true) {
    const alone = language === undefined ? '--limit' : '--language';
    if (language !== undefined || limit !== undefined) throw usageError('eval', `${alone} needs --polyglot.`);
    return null;
  }
  const languages = listOf(typeof language === 'string' ? language : undefined);
  for (const one of languages) oneOf(['eval', 'language'], one, Object.keys(polyglotLanguages), '');
  return { languages, limit: wholeNumber('eval', 'limit', limit) };
}

function wayOf(values: Readonly<Record<string, string | boolean | undefined>>): EvalCandidate['by'] {
  const { reference, transcript, model } = values;
  const chosen = [
    ['--reference', reference],
    ['--transcript', transcript],
    ['--model', model],
  ] as const;
  const given = chosen.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (given.length > 1) throw usageError('eval', `${given.join(' and ')} exclude each other.`);
  if (reference === true) return 'reference';
  return transcript === undefined ? 'model' : 'transcript';
}

/** Reads a template; `task` is the prompt of the task alone. */
async function readTemplate(file: string): Promise<EvalCandidate['prompt']> {
  if (file === 'task') return null;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(`--template: ${file} cannot be read.`, { file }, { cause });
  });
  if (!text.includes('{{prompt}}'))
    throw new ConfigError(`--template: ${file} has no {{prompt}}, where the task's prompt would stand.`, {
      file,
    });
  return { name: path.basename(file), text };
}

/** Reads `80%` or `80` as a share. */
function leastOf(text: string): number {
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw usageError('eval', `--least takes a percentage from 0% to 100%, not "${text}".`);
}

/** Makes all trials, one after the other; an abort ends them with those that ended before. */
async function runAll(
  planned: readonly PlannedTask[],
  { candidates, repeat, keep }: Options,
  settings: TrialSettings,
): Promise<CandidateResult[]> {
  const { signal, writeError } = settings.context;
  const results = candidates.map((candidate) => ({ candidate, trials: [] as TrialResult[] }));
  const attempts = Array.from({ length: repeat }, (_, at) => at + 1);
  const all = results.flatMap(({ candidate, trials }) =>
    planned.flatMap((one) => attempts.map((attempt) => ({ ...one, candidate, attempt, trials }))),
  );
  for (const { trials, ...trial } of all) {
    const { candidate, task, attempt } = trial;
    const folder = candidateName(candidate).replaceAll(/[^\w.-]+/g, '-');
    const kept = keep === undefined ? null : path.join(keep, folder, task.name, String(attempt));
    const result = await orAborted(() => runTrial({ ...trial, keep: kept }, settings), signal);
    if (result === null) break;
    trials.push(result);
    writeError(`${logLine(progressOf(result, candidate))}\n`);
  }
  return results;
}

/** Resolves to null for a trial that an abort ended. */
async function orAborted(
  trial: () => Promise<TrialResult>,
  signal: AbortSignal,
): Promise<TrialResult | null> {
  if (signal.aborted) return null;
  try {
    const result = await trial();
    return signal.aborted ? null : result;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function progressOf({ task, attempt, result, why }: TrialResult, candidate: EvalCandidate): string {
  const number = attempt === 1 ? '' : ` (attempt ${attempt})`;
  return `${result} ${task}${number}, ${candidateName(candidate)}${why === null ? '' : `: ${why}`}`;
}
