import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../src/contract/errors.ts';
import { readBaseFiles } from '../src/webhooks/authorize/read-base-files.ts';
import type { ConfigLocation } from '../src/webhooks/authorize/read-config.ts';
import type { Job } from './job.ts';

/**
 * Returns the text of a file that an input names: the task steers a run like its configuration. A
 * path in the repository is read from `base`, never from the checkout, which may be the head of a
 * pull request. An absolute path must lead out of the checkout, to a file of an earlier step.
 * Throws `ConfigError` with the input and the place that was read.
 */
export async function readInputFile(
  input: string,
  file: string,
  { workspace }: Pick<Job, 'workspace'>,
  { octokit, base }: { readonly octokit: Octokit; readonly base: ConfigLocation },
): Promise<string> {
  const wrong = (why: string, cause?: unknown) =>
    new ConfigError(`The input ${input}: ${why}`, { key: input }, { cause });
  if (path.isAbsolute(file)) return readOutside(file, workspace, wrong);
  const inside = path.posix.normalize(file.replaceAll('\\', '/'));
  if (inside.startsWith('..')) throw wrong(`${file} leads out of the repository.`);
  const found = (await readBaseFiles(octokit, base, [inside])).get(inside);
  if (found !== undefined) return found.toString('utf8');
  throw wrong(
    `the branch ${base.branch} has no file ${inside}. It is read from there and never from the checkout, ` +
      'which a pull request may have changed.',
  );
}

async function readOutside(
  file: string,
  workspace: string,
  wrong: (why: string, cause?: unknown) => ConfigError,
): Promise<string> {
  const [target, root] = await Promise.all([realpath(file), realpath(workspace)]).catch((error: unknown) => {
    throw wrong(`${file} cannot be read.`, error);
  });
  const relative = path.relative(root, target);
  if (relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative)))
    throw wrong(
      `${file} lies in the checkout, which a pull request may have changed. Give its path in the repository.`,
    );
  return readFile(target, 'utf8').catch((error: unknown) => {
    throw wrong(`${file} cannot be read.`, error);
  });
}
