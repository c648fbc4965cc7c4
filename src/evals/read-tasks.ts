import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ConfigError } from '../contract/errors.ts';
import type { EvalTask, FileSource, Reference, TranscriptAnswer } from './eval-task.ts';
import { fileText, parseTaskFile } from './parse-task-file.ts';

/** The file that makes a folder a task. */
const taskFile = 'task.yml';

/** Default limit of a check. */
const checkSeconds = 120;

const TaskFile = z.strictObject({
  /** Purpose of the task, for people. */
  description: z.string().optional(),
  verb: z.enum(['task', 'review']).default('task'),
  prompt: z.string().min(1),
  profile: z.string().optional(),
  preset: z.string().optional(),
  limits: z
    .strictObject({
      maxTurns: z.int().positive().optional(),
      timeoutSeconds: z.int().positive().optional(),
    })
    .optional(),
  answers: z.array(z.string()).default([]),
  check: z.union([
    z.string().min(1),
    z.strictObject({ command: z.string().min(1), timeoutSeconds: z.int().positive().optional() }),
  ]),
});

const Answer = z.union([
  z.strictObject({
    calls: z.array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.json()) })).min(1),
  }),
  z.strictObject({ text: z.string() }),
]);

const ReferenceOutcome = z.strictObject({
  answer: z.string().optional(),
  findings: z.array(z.record(z.string(), z.json())).optional(),
  questions: z.array(z.string()).optional(),
});

/**
 * Reads the tasks of a folder, sorted by name: each folder in it with a `task.yml`, or the folder
 * itself if it has one. Throws `ConfigError` with file, line and key for a task that is not valid,
 * and for a folder without tasks.
 */
export async function readEvalTasks(folder: string): Promise<EvalTask[]> {
  const whole = path.resolve(folder);
  if ((await fileText(whole, taskFile)) !== null) return [await readTask(whole)];
  const entries = await readdir(whole, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ConfigError(`${folder} is no folder that can be read.`, { file: folder }, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found: EvalTask[] = [];
  for (const name of names.sort())
    if ((await fileText(path.join(whole, name), taskFile)) !== null)
      found.push(await readTask(path.join(whole, name)));
  if (found.length > 0) return found;
  throw new ConfigError(`${folder} has no task: a folder with ${taskFile}, or folders with one each.`, {
    file: folder,
  });
}

async function readTask(folder: string): Promise<EvalTask> {
  const file = path.join(folder, taskFile);
  const task = parseTaskFile(TaskFile, (await fileText(folder, taskFile)) ?? '', file);
  const repository = await sourceAt(folder, 'repo');
  if (repository === null)
    throw new ConfigError(`${file}: there is no folder repo beside it, with the files of the repository.`, {
      file,
    });
  const change = await fileText(folder, 'change.patch');
  if ((task.verb === 'review') !== (change !== null))
    throw new ConfigError(`${file}: verb review needs change.patch beside it, and only that verb has one.`, {
      file,
      key: 'verb',
    });
  const { command, timeoutSeconds = checkSeconds } =
    typeof task.check === 'string' ? { command: task.check } : task.check;
  return {
    ...{ name: path.basename(folder), verb: task.verb, prompt: task.prompt, answers: task.answers },
    ...{ profile: task.profile ?? null, preset: task.preset ?? null, repository, change, mounts: [] },
    maxTurns: task.limits?.maxTurns ?? null,
    timeoutSeconds: task.limits?.timeoutSeconds ?? null,
    tests: await sourceAt(folder, 'tests'),
    check: { command, timeoutSeconds },
    reference: await referenceIn(folder),
    ...{ tries: 1, tools: null, onInvalid: 'refuse' },
  };
}

async function referenceIn(folder: string): Promise<Reference | null> {
  const patch = await fileText(folder, 'solution.patch');
  const text = await fileText(folder, 'solution.json');
  if (patch === null && text === null) return null;
  const outcome =
    text === null ? null : parseTaskFile(ReferenceOutcome, text, path.join(folder, 'solution.json'));
  return { patch, outcome: outcome as Reference['outcome'], transcript: null };
}

/**
 * Reads a transcript: a JSON list of `{calls: [{name, input}]}` and `{text}`, one for each answer
 * of the model. Returns null without the file. Throws `ConfigError` for another content.
 */
export async function transcriptAt(file: string): Promise<TranscriptAnswer[] | null> {
  const text = await fileText(path.dirname(file), path.basename(file));
  return text === null ? null : (parseTaskFile(z.array(Answer).min(1), text, file) as TranscriptAnswer[]);
}

async function sourceAt(folder: string, name: string): Promise<FileSource | null> {
  const whole = path.join(folder, name);
  const found = await stat(whole).catch(() => null);
  return found?.isDirectory() === true ? { folder: whole, includes: () => true } : null;
}
