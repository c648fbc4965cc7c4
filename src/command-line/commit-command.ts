import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { headlineOf, runTrailer } from '../reporting/changes/commit-message.ts';
import { learnCommitStyle } from '../reporting/changes/commit-style.ts';
import { isState, stateOfPath } from '../workspace/changes/path-state.ts';
import { type RestoreStep, restorePlan } from '../workspace/changes/restore-plan.ts';
import { isBelow } from '../workspace/changes/restore-run.ts';
import { createConfinedFiles } from '../workspace/files/create-confined-files.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { changesOf, type NamedRun, namedRun } from './run-record.ts';

const options = {
  cwd: { type: 'string' },
  message: { type: 'string' },
  force: { type: 'boolean' },
} as const;

/**
 * Runs `anode commit RUN`: commits the files that a run changed, and nothing else, with git, its
 * hooks and identity as the user set them up. Files that changed after the run stop it, except with
 * `--force`.
 * Returns the exit code: git's own where git refuses.
 */
export async function commitCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('commit', args, options);
  const [runId, ...others] = positionals;
  if (others.length > 0) throw usageError('commit', 'it takes one run.');
  const { root, hasRepository } = await findCheckout('commit', values.cwd);
  if (!hasRepository) throw usageError('commit', `${root} is in no git repository.`);
  const run = await namedRun('commit', runId, root);
  const steps = restorePlan(changesOf(run));
  if (steps.length === 0) {
    context.write('The run left no change.\n');
    return 1;
  }
  const changed = values.force === true ? [] : await changedSince(steps, root);
  if (changed.length > 0) {
    const names = changed.map((file) => `  ${logLine(file)}\n`).join('');
    context.writeError(
      `Nothing was committed, since these files changed after the run:\n${names}Look at them, then add --force.\n`,
    );
    return 1;
  }
  const message = values.message ?? (await defaultMessage(run, steps, root, context));
  return commit(await pathsForGit(steps, { root, context }), `${message}\n\n${runTrailer(run.runId)}\n`, {
    root,
    context,
  });
}

/** Returns the paths that are no longer as the run left them. */
async function changedSince(steps: readonly RestoreStep[], root: string): Promise<string[]> {
  const files = createConfinedFiles({ root, readOnlyRoots: [] });
  const states = await Promise.all(
    steps.map(async (step) => [step, await stateOfPath(step.path, files)] as const),
  );
  return states.flatMap(([step, now]) => (isState(now, step.left, step.leftMode) ? [] : [step.path]));
}

/** Returns one line on the run, in the style of the last commits. */
async function defaultMessage(
  run: NamedRun,
  steps: readonly RestoreStep[],
  root: string,
  context: CommandContext,
): Promise<string> {
  const entries = run.lines.map(({ entry }) => entry);
  const started = entries.find((entry) => entry.type === 'run.started');
  const finished = entries.findLast((entry) => entry.type === 'run.finished');
  const { output } = await git(['log', '-n', '50', '--no-merges', '--format=%s'], { root, context });
  return headlineOf(
    { answer: finished?.answer ?? '', changes: { files: steps } },
    {
      ...{ verb: 'step', prompt: started?.prompt ?? '', thread: null },
      push: { kind: 'none', reason: 'a local commit' },
    },
    learnCommitStyle(output.split('\n').filter((subject) => subject !== '')),
  );
}

/**
 * Returns the paths without deleted files that git never knew, which it refuses. A path in the
 * place of a deleted file's folder, or below a deleted file, stands for the deletion too.
 */
async function pathsForGit(steps: readonly RestoreStep[], place: Place): Promise<string[]> {
  const left = steps.flatMap((step) => (step.left === null ? [] : [step.path]));
  const standsFor = (other: string, file: string) => isBelow(file, other) || isBelow(other, file);
  const deleted = steps.flatMap((step) =>
    step.left !== null || left.some((other) => standsFor(other, step.path)) ? [] : [step.path],
  );
  const { output } =
    deleted.length === 0 ? { output: '' } : await git(['ls-files', '-z', '--', ...deleted], place);
  const known = new Set(output.split('\0'));
  return [...left, ...deleted.filter((file) => known.has(file))];
}

/** The place of git, with the user's environment: it is the user's commit. */
interface Place {
  readonly root: string;
  readonly context: CommandContext;
}

async function commit(paths: readonly string[], message: string, place: Place): Promise<number> {
  const added = await git(['add', '--all', '--', ...paths], place);
  if (added.code !== 0) return refusedByGit('add', added, place);
  const { output: left } = await git(['status', '--porcelain', '--', ...paths], place);
  if (left === '') {
    place.context.writeError('Nothing was committed: HEAD has these files as the run left them.\n');
    return 1;
  }
  const done = await git(['commit', '--quiet', '--only', '--message', message, '--', ...paths], place);
  if (done.code !== 0) return refusedByGit('commit', done, place);
  const { output } = await git(['log', '-1', '--format=%h %s'], place);
  place.context.write(`Committed ${logLine(output.trim())}\n`);
  return 0;
}

/** Prints the reason of git; returns its exit code. */
function refusedByGit(
  command: string,
  { code, errors }: Awaited<ReturnType<typeof git>>,
  { context }: Place,
): number {
  context.writeError(`git ${command} failed:\n${errors.split('\n').map(logLine).join('\n')}\n`);
  return code;
}

async function git(
  args: readonly string[],
  { root, context }: Place,
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  // Names of files are no patterns.
  const env = { ...context.environment, GIT_LITERAL_PATHSPECS: '1' };
  return promisify(execFile)('git', [...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout, errors: stderr }),
    (error: {
      readonly code?: unknown;
      readonly stdout?: string;
      readonly stderr?: string;
      readonly message: string;
    }) => ({
      code: typeof error.code === 'number' ? error.code : 1,
      output: error.stdout ?? '',
      errors: error.stderr || error.stdout || error.message,
    }),
  );
}
