import { lstat, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isGitPath } from '../workspace/files/confine-path.ts';
import { findGit } from '../workspace/git/git-layout.ts';
import { missingCheckout } from '../workspace/git/missing-checkout.ts';
import { logLine } from './log-line.ts';
import { usageError } from './parse-arguments.ts';

/** The checkout that a command works on. */
export interface LocalCheckout {
  /** The real path of the repository's root, or of the folder that was named where it lies in none. */
  readonly root: string;
  /** The folder that was named, below the root; '' for the root itself. */
  readonly start: string;
  readonly hasRepository: boolean;
}

/**
 * Finds the checkout of the folder that `--cwd` names, or that somebody stands in: the nearest folder above it with a
 * repository, be it a clone, a work tree or a submodule. As git does (`safe.directory`), a repository above counts only
 * where it belongs to the owner of the folder or to whoever asks; a home folder never counts as one for what lies in it.
 * Throws a usage error for what is no folder.
 */
export async function findCheckout(
  command: string,
  cwd: string | boolean | undefined,
): Promise<LocalCheckout> {
  const named = path.resolve(typeof cwd === 'string' ? cwd : '.');
  const info = await stat(named).catch(() => null);
  if (info === null) throw usageError(command, `--cwd: there is no folder ${named}.`);
  if (!info.isDirectory()) throw usageError(command, `--cwd: ${named} is a file and no folder.`);
  const folder = await realpath(named);
  const root = await repositoryAbove(folder, info.uid);
  const start = root === null ? '' : path.relative(root, folder);
  if (isGitPath(start))
    throw usageError(command, `--cwd: ${folder} is git's own. Name a folder of the work tree ${root}.`);
  if (root === null && missingCheckout(folder) === 'bare')
    throw usageError(
      command,
      `${folder} is a bare repository, which has no files to work on. Make a work tree: git -C ${folder} worktree add FOLDER`,
    );
  return { root: root ?? folder, start, hasRepository: root !== null };
}

async function repositoryAbove(folder: string, owner: number): Promise<string | null> {
  const home = await realpath(os.homedir()).catch(() => os.homedir());
  const trusted = [owner, process.getuid?.()];
  for (let at = folder; ; at = path.dirname(at)) {
    const git = findGit(at) === null ? null : await lstat(path.join(at, '.git')).catch(() => null);
    if (git !== null && (at === folder || (at !== home && trusted.includes(git.uid)))) return at;
    if (at === path.dirname(at)) return null;
  }
}

/** The line that a person reads first where the checkout is more or less than the folder they named; else null. */
export function describeCheckout({ root, start, hasRepository }: LocalCheckout): string | null {
  if (!hasRepository)
    return logLine(
      `! ${root} is in no git repository. The run changes its files; \`anode restore\` puts them back. It sees no history.`,
    );
  if (start === '') return null;
  return logLine(`Checkout: ${root}. Commands start in ${start}; other paths count from the root.`);
}
