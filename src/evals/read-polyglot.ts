import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ConfigError } from '../contract/errors.ts';
import type { EvalTask, Reference } from './eval-task.ts';
import { fileText, parseTaskFile } from './parse-task-file.ts';
import { type PolyglotLanguage, polyglotLanguages } from './polyglot-languages.ts';
import { referenceFiles, referenceTranscript } from './polyglot-reference.ts';

/** Limit of a check in seconds, as in Aider's benchmark. */
const checkSeconds = 180;

/** A path that stays in the folder of the exercise. */
const RelativePath = z
  .string()
  .min(1)
  .refine((file) => !path.isAbsolute(file) && !file.split('/').includes('..'), 'leads out of the exercise');

/** The part of `.meta/config.json` that is read. */
const ExerciseFile = z.object({
  files: z.object({
    solution: z.array(RelativePath).min(1),
    test: z.array(RelativePath).min(1),
    example: z.array(RelativePath).default([]),
    editor: z.array(RelativePath).default([]),
  }),
});
type ExerciseFiles = z.infer<typeof ExerciseFile>['files'];

/** Choice of exercises. */
export interface PolyglotChoice {
  /** Folders of languages; empty for all. */
  readonly languages: readonly string[];
  /** True for the reference solutions, which may need other packages. */
  readonly reference: boolean;
}

/**
 * Reads the exercises of a checkout of Aider's polyglot benchmark, in the order of languages and
 * names. A name is `LANGUAGE/EXERCISE`. Throws `ConfigError` for a folder without exercises, and
 * for an exercise that is not valid.
 */
export async function readPolyglot(folder: string, choice: PolyglotChoice): Promise<EvalTask[]> {
  const root = path.resolve(folder);
  const tasks: EvalTask[] = [];
  for (const [language, rules] of Object.entries(polyglotLanguages)) {
    if (choice.languages.length > 0 && !choice.languages.includes(language)) continue;
    const mounts = await mountsOf(path.join(root, language), rules);
    for (const name of await foldersIn(path.join(root, language, 'exercises/practice')))
      tasks.push(await readExercise({ root, language, name, rules, mounts }, choice));
  }
  if (tasks.length > 0) return tasks;
  const wanted = choice.languages.length === 0 ? Object.keys(polyglotLanguages) : choice.languages;
  throw new ConfigError(
    `${folder} has no exercise in LANGUAGE/exercises/practice, for the languages ${wanted.join(', ')}. Name a checkout of Aider's polyglot-benchmark.`,
    { file: folder },
  );
}

interface Place {
  readonly root: string;
  readonly language: string;
  readonly name: string;
  readonly rules: PolyglotLanguage;
  readonly mounts: EvalTask['mounts'];
}

async function readExercise(place: Place, { reference: isReference }: PolyglotChoice): Promise<EvalTask> {
  const { root, language, name, rules, mounts } = place;
  const folder = path.join(root, language, 'exercises/practice', name);
  const file = path.join(folder, '.meta/config.json');
  const text = await fileText(path.dirname(file), path.basename(file));
  if (text === null) throw new ConfigError(`${folder} is no exercise: ${file} is missing.`, { file });
  const { files } = parseTaskFile(ExerciseFile, text, file);
  const solution = await referenceOf(folder, files);
  const exercise = {
    ...{ name, tests: files.test, mounted: mounts.map(({ mountPath }) => mountPath) },
    packages: packagesOf(
      isReference ? (solution?.packages ?? null) : null,
      await fileText(folder, 'Cargo.toml'),
    ),
  };
  return {
    ...{ name: `${language}/${name}`, verb: 'task', prompt: await promptOf(folder, files.solution) },
    ...{ profile: null, preset: null, maxTurns: null, timeoutSeconds: null, answers: [], change: null },
    repository: { folder, includes: (entry) => !isOurs(entry) && !isHidden(entry, files) },
    // Whatever is not the solution is as in the benchmark, also what the tests are started by.
    tests: { folder, includes: (entry) => !isOurs(entry) && !files.solution.includes(entry) },
    check: { command: rules.check(exercise), timeoutSeconds: checkSeconds },
    reference: solution?.reference ?? null,
    ...{ mounts, tries: 2, tools: rules.tools(exercise), onInvalid: 'skip' },
  };
}

/** Returns true for notes and solutions of the benchmark, which are no part of the repository. */
const isOurs = (entry: string): boolean =>
  ['.meta', '.docs', '.approaches', '.articles'].includes(entry.split('/', 1)[0] ?? '');

/** Returns true for tests, and for the cases of Go's tests, which are listed as `editor`. */
const isHidden = (entry: string, { test, editor }: ExerciseFiles): boolean =>
  test.includes(entry) || (editor.includes(entry) && /_test\.\w+$/.test(entry));

/** Returns the text of the package list in force if it names packages; else null. */
function packagesOf(reference: string | null, own: string | null): string | null {
  const text = reference ?? own;
  return text !== null && /^\[dependencies\]\s*\n+\s*[\w"-]+\s*=/m.test(text) ? text : null;
}

async function referenceOf(
  folder: string,
  { solution, example }: ExerciseFiles,
): Promise<{ readonly reference: Reference; readonly packages: string | null } | null> {
  const entries = await readdir(path.join(folder, '.meta'));
  const found = referenceFiles(
    solution,
    example,
    entries.map((entry) => `.meta/${entry}`),
  );
  if (found === null || found.length === 0) return null;
  const written = await Promise.all(
    found.map(async ({ target, example: from }) => {
      const after = await fileText(folder, from);
      if (after === null)
        throw new ConfigError(`${path.join(folder, from)} is missing, which .meta/config.json names.`, {
          file: path.join(folder, from),
        });
      return { path: target, before: await fileText(folder, target), after };
    }),
  );
  return {
    reference: { patch: null, outcome: null, transcript: referenceTranscript(written) },
    packages: written.find((file) => file.path === 'Cargo.toml')?.after ?? null,
  };
}

/** Returns the prompt: the texts of the exercise, then the task as in Aider's benchmark. */
async function promptOf(folder: string, solution: readonly string[]): Promise<string> {
  const names = ['introduction.md', 'instructions.md', 'instructions.append.md'];
  const texts = await Promise.all(names.map((name) => fileText(path.join(folder, '.docs'), name)));
  const files = solution.filter((file) => path.basename(file) !== 'Cargo.toml');
  return [
    ...texts.flatMap((text) => text?.trim() || []),
    [
      `Solve this exercise by changing ${files.join(', ')}.`,
      'Tests that you do not see use the names in these files, so keep the names of functions and classes.',
      'Use the standard library only: nothing can be installed.',
    ].join('\n'),
  ].join('\n\n');
}

async function mountsOf(folder: string, { mounts }: PolyglotLanguage): Promise<EvalTask['mounts']> {
  const found = await Promise.all(
    mounts.map(async (mountPath) => {
      const whole = await realpath(path.join(folder, mountPath)).catch(() => null);
      const isFolder = whole !== null && (await stat(whole)).isDirectory();
      return isFolder ? [{ mountPath, folder: whole }] : [];
    }),
  );
  return found.flat();
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return [];
    throw new ConfigError(`${folder} cannot be read: ${cause.message}.`, { file: folder }, { cause });
  });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}
