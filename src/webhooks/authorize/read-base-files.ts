import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/api-errors.ts';
import type { ConfigPlace } from './read-config.ts';

/**
 * Files of the branch that a run's configuration comes from, by path, where there is no clone of it: at most 1 MB each,
 * as GitHub's API gives them whole. What is not there, or is no file, is left out.
 */
export async function readBaseFiles(
  octokit: Octokit,
  { owner, name: repo, branch: ref }: ConfigPlace,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const path of paths) {
    const data = await octokit.rest.repos
      .getContent({ owner, repo, path, ref })
      .then((answer) => answer.data)
      .catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      });
    if (data === null || Array.isArray(data) || data.type !== 'file' || data.encoding !== 'base64') continue;
    found.set(path, Buffer.from(data.content, 'base64'));
  }
  return found;
}
