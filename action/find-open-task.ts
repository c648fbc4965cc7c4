import type { Octokit } from '@octokit/rest';
import { readMarker } from '../src/reporting/text/marker.ts';

/**
 * Returns the open pull request that an earlier run of a task made; null without one. It is by our
 * account, from a branch of the repository, and names the task. Searches the newest hundred open
 * ones.
 */
export async function findOpenTask(
  octokit: Octokit,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { ownLogin, task }: { readonly ownLogin: string; readonly task: string },
): Promise<number | null> {
  const { data } = await octokit.rest.pulls.list({ owner, repo, state: 'open', per_page: 100 });
  const found = data.find(
    ({ user, head, body }) =>
      user?.login === ownLogin &&
      head.repo?.full_name.toLowerCase() === `${owner}/${repo}`.toLowerCase() &&
      readMarker(body, 'pull-request')?.task === task,
  );
  return found?.number ?? null;
}
