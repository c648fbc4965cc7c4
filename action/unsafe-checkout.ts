import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../src/contract/errors.ts';
import { integerAt, objectAt, stringAt } from '../src/webhooks/triggers/payload-reader.ts';
import { findGit, readHead } from '../src/workspace/git/git-layout.ts';
import { gitText, runGit } from '../src/workspace/git/run-git.ts';
import type { Job } from './job.ts';

/** Events of a stranger's pull request whose job has secrets and a token that may write. */
const privileged: Readonly<Record<string, string>> = {
  pull_request_target: 'pull_request',
  workflow_run: 'workflow_run',
};

/**
 * Refuses a job that checked out the head of a fork beside secrets: a later step that runs its code
 * would expose them (GitHub Docs, "Securely using pull_request_target"). Looks at the workspace and
 * two levels of folders below it. Throws `ConfigError`.
 */
export async function refuseUnsafeCheckout(
  job: Pick<Job, 'eventName' | 'payload' | 'workspace'>,
): Promise<void> {
  const head = foreignHead(job);
  if (head === null) return;
  for (const folder of await foldersOf(job.workspace, 2)) {
    if (!(await holds(folder, head))) continue;
    const place = path.relative(job.workspace, folder) || 'the workspace';
    throw new ConfigError(
      `This ${job.eventName} job checked out a fork's head (${head.slice(0, 12)} in ${place}), although it has secrets and a token that may write. ` +
        'Any step that runs that code hands them over, so nothing was started. ' +
        'Remove `ref:` from the step actions/checkout, or the whole step: a review reads the pull request by itself. ' +
        'To run the code, use `pull_request`, whose jobs have no secrets for a fork.',
      { key: job.eventName },
    );
  }
}

/** Returns the head commit of a fork's pull request in such an event; null for any other. */
function foreignHead({ eventName, payload }: Pick<Job, 'eventName' | 'payload'>): string | null {
  const key = Object.hasOwn(privileged, eventName) ? privileged[eventName] : undefined;
  const subject = key === undefined ? null : objectAt(payload, key);
  if (subject === null) return null;
  const isRun = key === 'workflow_run';
  const head = isRun ? subject : (objectAt(subject, 'head') ?? {});
  const sha = stringAt(head, isRun ? 'head_sha' : 'sha');
  // A deleted fork is null.
  const from = integerAt(head, isRun ? 'head_repository' : 'repo', 'id');
  return from === integerAt(payload, 'repository', 'id') ? null : sha;
}

/** Returns a folder with the folders below it, to a depth. */
async function foldersOf(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => depth > 0 && entry.isDirectory() && entry.name !== '.git');
  const deeper = await Promise.all(below.map(({ name }) => foldersOf(path.join(folder, name), depth - 1)));
  return [folder, ...deeper.flat()];
}

/** Returns true if a checkout has a commit in its history: as its head, or merged into it. */
async function holds(folder: string, sha: string): Promise<boolean> {
  const layout = findGit(folder);
  const head = layout === null ? null : readHead(layout).sha;
  if (layout === null || head === null) return false;
  if (head === sha) return true;
  const git = { cwd: folder, gitDirectory: layout.directory };
  // A shallow merge commit still names its parents, which git hides elsewhere.
  const commit = await gitText(['cat-file', 'commit', head], git);
  if (commit.split('\n\n', 1)[0]?.split('\n').includes(`parent ${sha}`)) return true;
  const { exitCode } = await runGit(['merge-base', '--is-ancestor', sha, head], { ...git, accept: [1, 128] });
  return exitCode === 0;
}
