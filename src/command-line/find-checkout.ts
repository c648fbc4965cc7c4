import { lstat, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isGitPath } from '../workspace/files/confine-path.ts';
import { findGit } from '../workspace/git/git-layout.ts';
import { missingCheckout } from '../workspace/git/missing-checkout.ts';
import { logLine } from './log-line.ts';
import { usageError } from './parse-arguments.ts';

/** The checkout of a command. */
export interface LocalCheckout {
  /** Real path of the repository's root; of the named folder without a repository. */
  readonly root: string;
  /** Named folder below the root; '' for the root itself. */
  readonly start: string;
  readonly hasRepository: boolean;
}

/**
 * Finds the checkout of `--cwd` or of the current folder: the nearest repository at or above it. It
 * may be a clone, a work tree or a submodule. A repository above counts only if the folder's owner
 * or the user owns it, as in git (`safe.directory`). A home folder never counts for folders in it.
 * Throws a usage error for a path that is no folder.
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

/** Returns a notice if the checkout differs from the named folder; else null. */
export function describeCheckout({ root, start, hasRepository }: LocalCheckout): string | null {
  if (!hasRepository)
    return logLine(
      `! ${root} is in no git repository. The run changes its files; \`anode restore\` puts them back. It sees no history.`,
    );
  if (start === '') return null;
  return logLine(`Checkout: ${root}. Commands start in ${start}; other paths count from the root.`);
}
