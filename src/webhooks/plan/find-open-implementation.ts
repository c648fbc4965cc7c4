import type { Octokit } from '@octokit/rest';

/**
 * The number of the open pull request that an earlier run made for an issue, known by our own account and our line that closes
 * the issue, or the usual start of its branch's name; null where there is none. The newest hundred open ones are looked at.
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
