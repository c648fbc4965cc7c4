import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import { runGit } from '../workspace/git/run-git.ts';
import type { EvalTask, FileSource } from './eval-task.ts';

/**
 * Makes the repository of a trial at `root`, which must not exist: the task's files as one commit,
 * and the change of a review as a second.
 */
export async function makeTrialTree(task: EvalTask, root: string): Promise<void> {
  await mkdir(root);
  await copyFiles(task.repository, root);
  await runGit(['init', '--quiet', '--initial-branch=main'], { cwd: root });
  await commitAll(root, 'Start');
  if (task.change === null) return;
  await patchTree(task, task.change, root);
  await commitAll(root, 'Change');
}

/** Applies a patch of a task to its tree. Throws `ConfigError` if it does not fit. */
export async function patchTree(task: EvalTask, patch: string, root: string): Promise<void> {
  const args = ['apply', '--whitespace=nowarn', '-'];
  const { exitCode, stderr } = await runGit(args, { cwd: root, stdin: patch, accept: [1, 128] });
  if (exitCode !== 0)
    throw new ConfigError(`A patch of the task ${task.name} does not apply: ${stderr.trim()}`, {
      key: task.name,
    });
}

async function commitAll(root: string, message: string): Promise<void> {
  await runGit(['add', '--all', '--force'], { cwd: root });
  const author = ['-c', 'user.name=eval', '-c', 'user.email=eval@example.invalid'];
  await runGit([...author, 'commit', '--quiet', '--no-verify', '--allow-empty', `--message=${message}`], {
    cwd: root,
  });
}

/** Copies files, folders and links, as they are; sockets and pipes are left out. */
export async function copyFiles({ folder, includes }: FileSource, target: string): Promise<void> {
  await cp(folder, target, {
    ...{ recursive: true, verbatimSymlinks: true },
    filter: async (entry) => {
      const found = await lstat(entry);
      const below = path.relative(folder, entry);
      if (below !== '' && !includes(below)) return false;
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
}

/**
 * Lays files over a tree that a run has changed. Whatever stands in their place is replaced; a link
 * on the way too, since it may lead out of the tree. No process may run in the tree.
 */
export async function layOver(source: FileSource, names: readonly string[], target: string): Promise<void> {
  for (const name of names) {
    const parts = name.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const at = path.join(target, ...parts.slice(0, depth));
      const found = await lstat(at).catch(() => null);
      const isLast = depth === parts.length;
      if (found !== null && (isLast || !found.isDirectory())) await rm(at, { recursive: true, force: true });
      if (!isLast) await mkdir(at, { recursive: true });
    }
    await cp(path.join(source.folder, name), path.join(target, name), { verbatimSymlinks: true });
  }
}
