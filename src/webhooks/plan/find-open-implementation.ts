import type { Octokit } from '@octokit/rest';

/**
 * Returns the open pull request that an earlier run made for an issue; null without one. It is by
 * our account and has our closing line or branch prefix. Searches the newest hundred open ones.
 */
export async function findOpenImplementation(
  octokit: Octokit,
  issue: { readonly owner: string; readonly repo: string; readonly number: number },
  own: { readonly logins: readonly string[]; readonly branchPrefix: string },
): Promise<number | null> {
  const { owner, repo, number } = issue;
  const { data } = await octokit.rest.pulls.list({ owner, repo, state: 'open', per_page: 100 });
  const start = `${own.branchPrefix}issue-${number}-`;
  const closes = new RegExp(`^Closes #${number}$`, 'mu');
  const found = data.find(
    (pull) =>
      (pull.head.ref.startsWith(start) || (pull.body !== null && closes.test(pull.body))) &&
      pull.head.repo?.full_name === `${owner}/${repo}` &&
      own.logins.some((login) => login === pull.user?.login),
  );
  return found?.number ?? null;
}
