import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import {
  type ChangedText,
  type Check,
  type FoundProgram,
  type Problem,
  type ProgramOutput,
  type Report,
  renderProblem,
} from './check-program.ts';
import type { LinterServices } from './edit-checks.ts';
import { findPrograms, programKey } from './find-programs.ts';
import { type EvaluatedProblem, reportableProblems } from './new-problems.ts';
import { type ProgramFailure, runLinterProgram } from './run-linter-program.ts';

/** Findings of programs in changed files. */
interface ProgramFindings {
  readonly problems: readonly EvaluatedProblem[];
  /** Paths that at least one program checked. */
  readonly checked: readonly string[];
  /** Notes on programs excluded from now on, each once. */
  readonly notes: readonly string[];
}

/** One program with the files it is to look at. */
interface Job {
  readonly found: FoundProgram;
  readonly check: Check;
  readonly files: ChangedText[];
}

/** Text before a change that is compared with, in characters: more is not sent through. */
const longestInput = 1024 * 1024;

/**
 * Runs every program that applies on its files, in parallel. A program that hangs, breaks or is
 * missing is excluded for the rest of the run.
 */
export async function checkFiles(
  files: readonly ChangedText[],
  context: LinterServices,
): Promise<ProgramFindings> {
  if (!context.editChecks.programs) return { problems: [], checked: [], notes: [] };
  const jobs = await jobsFor(files, context);
  const results = await Promise.all(jobs.map((job) => runJob(job, context)));
  return {
    problems: results.flatMap(({ problems }) => problems),
    checked: results.flatMap(({ checked }) => checked),
    notes: results.flatMap(({ notes }) => notes),
  };
}

async function jobsFor(files: readonly ChangedText[], context: LinterServices): Promise<Job[]> {
  const jobs = new Map<string, Job>();
  for (const file of files) {
    const applying = (await findPrograms(file.path, context)).filter((found) => suits(found, file.after));
    const names = applying.map(({ program }) => program.name);
    for (const found of applying) {
      const { check } = found.program;
      if (check === null || check.unless?.some((name) => names.includes(name)) === true) continue;
      const key = programKey(found);
      const job = jobs.get(key) ?? { found, check, files: [] };
      job.files.push(file);
      jobs.set(key, job);
    }
  }
  return [...jobs.values()];
}

function suits({ program }: FoundProgram, text: string): boolean {
  const { check } = program;
  if (check === null) return false;
  return (
    check.shebang === undefined || !text.startsWith('#!') || check.shebang.test(text.split('\n', 1)[0] ?? '')
  );
}

async function runJob(job: Job, context: LinterServices): Promise<ProgramFindings> {
  const { found, check, files } = job;
  const { memory } = context.editChecks;
  const paths = files.map(({ path }) => `./${posix.relative(found.folder, path)}`);
  const calls = check.oneByOne
    ? paths.map((path) => check.files([path], found.config))
    : [check.files(paths, found.config)];
  const started = monotonicMs();
  const [output, earlier] = await Promise.all([
    runLinterProgram(found, calls, context),
    files.length === 1 && files[0] !== undefined ? earlierProblems(job, files[0], context) : null,
  ]);
  const reports = typeof output === 'string' ? null : check.parse(output);
  const ownOf = ({ path }: ChangedText) =>
    (reports ?? []).flatMap((report) => problemOf(report, path, found, context));
  const all = files.flatMap(ownOf);
  recordValidation(job, { output, problems: reports === null ? null : all, started }, context);
  if (typeof output === 'string') return exclude(found, output, '', context);
  if (reports === null) return exclude(found, 'broke', output.stderr || output.stdout, context);
  const problems = files.flatMap((file) => {
    const own = ownOf(file);
    const known = memory.found.get(memoryKey(found, file.path));
    const before = known !== undefined && known.hash === hashBefore(file) ? known.problems : earlier;
    memory.found.set(memoryKey(found, file.path), { hash: hashOf(file.after), problems: own });
    return reportableProblems(own, before, file);
  });
  return { problems, checked: files.map(({ path }) => path), notes: [] };
}

/** Characters of a check's output that the record gets. */
const mostRecorded = 4_000;

/** Records what a program reported on its files; `problems` is null if it has no report. */
function recordValidation(
  { found, files }: Job,
  end: {
    readonly output: ProgramOutput | ProgramFailure;
    readonly problems: readonly Problem[] | null;
    readonly started: number;
  },
  { record }: LinterServices,
): void {
  const { output, problems, started } = end;
  const [exitCode, raw] =
    typeof output === 'string'
      ? [null, reasonOf(output, '')]
      : [output.exitCode, output.stderr || output.stdout];
  record({
    ...{ type: 'validation', check: found.program.name, command: null },
    files: files.map(({ path }) => path),
    result: resultOf(problems),
    exit_code: exitCode,
    output: (problems?.map(renderProblem).join('\n') ?? raw).slice(0, mostRecorded),
    duration_ms: monotonicMs() - started,
  });
}

function resultOf(problems: readonly Problem[] | null): 'passed' | 'failed' | 'not_run' {
  if (problems === null) return 'not_run';
  return problems.some(({ severity }) => severity === 'error') ? 'failed' : 'passed';
}

/** The program's problems in the text before; null if they cannot be known. */
async function earlierProblems(
  { found, check }: Job,
  file: ChangedText,
  context: LinterServices,
): Promise<readonly Problem[] | null> {
  const { path, before } = file;
  if (before === null || check.input === undefined || before.length > longestInput) return null;
  if (context.editChecks.memory.found.get(memoryKey(found, path))?.hash === hashBefore(file)) return null;
  const args = check.input(`./${posix.relative(found.folder, path)}`, found.config);
  const output = await runLinterProgram(found, [args], context, before);
  const reports = typeof output === 'string' ? null : check.parse(output);
  return reports?.flatMap((report) => problemOf({ ...report, path: null }, path, found, context)) ?? null;
}

const memoryKey = (found: FoundProgram, path: string): string => `${programKey(found)}\0${path}`;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashBefore = ({ before }: ChangedText): string | null => (before === null ? null : hashOf(before));

/** Turns a report into a problem of `path`; empty if it is about another file. */
function problemOf(report: Report, path: string, found: FoundProgram, context: LinterServices): Problem[] {
  const { root } = context.workspace;
  const full = report.path === null ? null : posix.resolve(root, found.folder, report.path);
  if (full !== null && full !== posix.join(root, path)) return [];
  return [{ ...report, path, tool: found.program.name }];
}

function exclude(
  found: FoundProgram,
  why: ProgramFailure | 'broke',
  output: string,
  context: LinterServices,
): ProgramFindings {
  const { excluded } = context.editChecks.memory;
  const none = { problems: [], checked: [], notes: [] };
  if (excluded.has(programKey(found))) return none;
  excluded.add(programKey(found));
  const message = `${found.program.name} is left out for the rest of this run: ${reasonOf(why, output)}.`;
  context.record({ type: 'diagnostic', level: why === 'missing' ? 'info' : 'warning', message });
  // A missing program is nothing the model could fix.
  return why === 'missing' ? none : { ...none, notes: [`[${message}]`] };
}

function reasonOf(why: ProgramFailure | 'broke', output: string): string {
  if (why === 'missing') return 'it cannot be started where commands run';
  if (why === 'hung') return 'it did not end in time';
  if (why === 'too_much') return 'it printed too much';
  const line = output.split('\n').find((one) => one.trim() !== '');
  return line === undefined ? 'it failed' : `it failed: ${line.trim().replace(/\.+$/, '').slice(0, 200)}`;
}
