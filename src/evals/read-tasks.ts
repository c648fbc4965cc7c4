import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { nearestKey } from '../config/nearest-key.ts';
import { knownKeys } from '../config/parse-config.ts';
import { readDocument } from '../config/read-document.ts';
import { ConfigError } from '../contract/errors.ts';
import type { EvalTask, FileSource, Reference, TranscriptAnswer } from './eval-task.ts';

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
  if ((await textAt(whole, taskFile)) !== null) return [await readTask(whole)];
  const entries = await readdir(whole, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ConfigError(`${folder} is no folder that can be read.`, { file: folder }, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found: EvalTask[] = [];
  for (const name of names.sort())
    if ((await textAt(path.join(whole, name), taskFile)) !== null)
      found.push(await readTask(path.join(whole, name)));
  if (found.length > 0) return found;
  throw new ConfigError(`${folder} has no task: a folder with ${taskFile}, or folders with one each.`, {
    file: folder,
  });
}

async function readTask(folder: string): Promise<EvalTask> {
  const file = path.join(folder, taskFile);
  const task = parseWith(TaskFile, (await textAt(folder, taskFile)) ?? '', file);
  const repository = await sourceAt(folder, 'repo');
  if (repository === null)
    throw new ConfigError(`${file}: there is no folder repo beside it, with the files of the repository.`, {
      file,
    });
  const change = await textAt(folder, 'change.patch');
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
  };
}

async function referenceIn(folder: string): Promise<Reference | null> {
  const patch = await textAt(folder, 'solution.patch');
  const text = await textAt(folder, 'solution.json');
  if (patch === null && text === null) return null;
  const outcome =
    text === null ? null : parseWith(ReferenceOutcome, text, path.join(folder, 'solution.json'));
  return { patch, outcome: outcome as Reference['outcome'], transcript: null };
}

/**
 * Reads a transcript: a JSON list of `{calls: [{name, input}]}` and `{text}`, one for each answer
 * of the model. Returns null without the file. Throws `ConfigError` for another content.
 */
export async function transcriptAt(file: string): Promise<TranscriptAnswer[] | null> {
  const text = await textAt(path.dirname(file), path.basename(file));
  return text === null ? null : (parseWith(z.array(Answer).min(1), text, file) as TranscriptAnswer[]);
}

/** Parses YAML or JSON, with the place of the first fault. */
function parseWith<Schema extends z.ZodType>(schema: Schema, text: string, file: string): z.infer<Schema> {
  const document = readDocument(text, file);
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  // A misspelt key is also a missing one.
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const keys = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const { line, column } = document.locate(keys, unknown === undefined ? 'value' : 'key');
  const key = keys.map(String).join('.');
  const near = unknown === undefined ? null : nearestKey(unknown, knownKeys(schema, issue?.path ?? []));
  const problem = unknown === undefined ? `${key}: ${issue?.message ?? 'not valid'}` : `unknown key ${key}`;
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  throw new ConfigError(
    `${file}:${line}:${column}: ${problem}.${hint}`,
    { file, key },
    {
      cause: parsed.error,
    },
  );
}

async function textAt(folder: string, name: string): Promise<string | null> {
  const file = path.join(folder, name);
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return null;
    throw new ConfigError(`${file} cannot be read: ${cause.message}.`, { file }, { cause });
  });
}

async function sourceAt(folder: string, name: string): Promise<FileSource | null> {
  const whole = path.join(folder, name);
  const found = await stat(whole).catch(() => null);
  return found?.isDirectory() === true ? { folder: whole, includes: () => true } : null;
}
