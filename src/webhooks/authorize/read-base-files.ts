import type { Octokit } from '@octokit/rest';
import { isNotFound } from '../../github/api-errors.ts';
import type { ConfigLocation } from './read-config.ts';

/**
 * Reads files of the configuration's branch by path, without a clone. The API limits each file to 1
 * MB. Missing paths and paths of other kinds are omitted.
 */
export async function readBaseFiles(
  octokit: Octokit,
  { owner, name: repo, branch: ref }: ConfigLocation,
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
