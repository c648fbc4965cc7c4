import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { SandboxMode } from '../contract/levels.ts';
import { createCommandRunner } from '../sandbox/create-command-runner.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import type { CheckedOutcome, EvalTask, FileSource } from './eval-task.ts';
import { copyFiles, layOver } from './trial-tree.ts';

/** A tree to check, and where. */
export interface CheckRequest {
  readonly task: EvalTask;
  /** The tree as the run left it; it stays as it is. */
  readonly root: string;
  readonly outcome: CheckedOutcome;
  /** A folder of our own for the copy, which must not exist; deleted at the end. */
  readonly folder: string;
  readonly sandbox: SandboxMode;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The result of a check. */
export interface TaskCheckResult {
  /** `not_started` for a command that cannot be found or is no program. */
  readonly result: 'passed' | 'failed' | 'timed_out' | 'not_started';
  /** The end of its output, at most 16 KiB. */
  readonly output: string;
}

/** Bytes of the output's end that are kept. */
const mostOutput = 16 * 1024;

/** The folder of the outcome, in the copy. */
const outcomeFolder = '.anode-eval';

/**
 * Runs the check of a task on a copy of a tree, with the hidden tests laid over it, in a sandbox
 * without network. `EVAL_OUTCOME` names the file with the outcome. An abort rejects with the
 * signal's reason.
 */
export async function runCheck(request: CheckRequest): Promise<TaskCheckResult> {
  const { task, folder, sandbox, environment } = request;
  const root = path.join(folder, 'tree');
  const spillFolder = path.join(folder, 'spill');
  await mkdir(spillFolder, { recursive: true, mode: 0o700 });
  try {
    await copyForCheck(request, root);
    const workspace = await openWorkspace({ root, runFolder: path.join(folder, 'state'), spillFolder });
    const folders = task.mounts.map((one) => ({ ...one }));
    const commands = await createCommandRunner({
      ...{ mode: sandbox, workspace, spillFolder, environment },
      ...(folders.length === 0 ? {} : { setup: () => ({ builtAt: root, folders }) }),
    });
    try {
      return await runCommand(request, root, commands);
    } finally {
      await commands.close();
      await workspace.close();
    }
  } finally {
    await removeTree(folder);
  }
}

async function copyForCheck({ task, root: changed, outcome }: CheckRequest, root: string): Promise<void> {
  const first = (name: string) => name.split('/', 1)[0] ?? '';
  const kept = (name: string) => !['.anode-harness', outcomeFolder].includes(first(name));
  await mkdir(root, { mode: 0o755 });
  await copyFiles({ folder: changed, includes: kept }, root);
  if (task.tests !== null) await layOver(task.tests, await filesOf(task.tests), root);
  await mkdir(path.join(root, outcomeFolder));
  await writeFile(path.join(root, outcomeFolder, 'outcome.json'), JSON.stringify(outcome, null, 2));
}

async function runCommand(
  { task, signal }: CheckRequest,
  root: string,
  commands: Awaited<ReturnType<typeof createCommandRunner>>,
): Promise<TaskCheckResult> {
  let output = Buffer.alloc(0);
  const { exitCode, timedOut } = await commands.run({
    ...{ command: task.check.command, timeoutMs: task.check.timeoutSeconds * 1000, signal, cwd: root },
    env: { EVAL_OUTCOME: path.join(root, outcomeFolder, 'outcome.json') },
    onOutput: (chunk) => {
      output = Buffer.concat([output, chunk]).subarray(-mostOutput);
    },
  });
  return { result: resultOf(exitCode, timedOut), output: stripVTControlCharacters(output.toString('utf8')) };
}

function resultOf(exitCode: number | null, timedOut: boolean): TaskCheckResult['result'] {
  if (timedOut) return 'timed_out';
  if (exitCode === 0) return 'passed';
  // Exit codes of a shell that finds no program, or may not run it.
  return exitCode === 126 || exitCode === 127 ? 'not_started' : 'failed';
}

/** Lists the files and links of a source by their paths, sorted. */
async function filesOf({ folder, includes }: FileSource): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter(includes)
    .sort();
}
