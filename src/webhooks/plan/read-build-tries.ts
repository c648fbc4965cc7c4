import type { Octokit } from '@octokit/rest';

/** A run of ours that tried to repair a build, by the marker of its comment. */
export interface BuildTry {
  /** The head that it began at. */
  readonly head: string;
  /** Name of what failed there. */
  readonly signature: string;
}

/** Earlier tries on the head that failed. */
export interface BuildTries {
  /** Tries since the last commit that is not ours, oldest first. */
  readonly tries: readonly BuildTry[];
  /** Bodies of our comments on the thread. */
  readonly comments: readonly string[];
}

/** Commits of ours on each other that are read, and pages of 100 comments. */
const mostCommits = 30;
const mostPages = 10;

/** First line of a run's comment: `<!-- anode:progress v1 run=run_7 head=… failure=… -->`. */
const marker =
  /^<!-- anode:(?:progress|report) v1 run=[\w-]+ head=([0-9a-f]{40,64}) failure=([0-9a-f]{16})(?: turn=[\d.]+)? -->\n/u;

/**
 * Reads from GitHub which runs of ours tried to repair the commits that end at a head: our own
 * commits, and the one below them. A workflow job has no other record of them. A marker counts only
 * in a comment of our own account.
 */
export async function readBuildTries(
  octokit: Octokit,
  pull: { readonly owner: string; readonly repo: string; readonly number: number; readonly head: string },
  ownLogins: readonly string[],
): Promise<BuildTries> {
  const { owner, repo, number, head } = pull;
  const isOwn = (login: string | undefined) => login !== undefined && ownLogins.includes(login);
  const { data: commits } = await octokit.rest.repos.listCommits({
    owner,
    repo,
    sha: head,
    per_page: mostCommits,
  });
  const under = commits.findIndex(({ author }) => !isOwn(author?.login));
  const chain = new Set(commits.slice(0, under === -1 ? commits.length : under + 1).map(({ sha }) => sha));
  const comments: string[] = [];
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...{ owner, repo, issue_number: number, per_page: 100 },
  });
  let page = 0;
  for await (const { data } of pages) {
    for (const { user, body } of data) if (isOwn(user?.login) && body) comments.push(body);
    page += 1;
    if (page === mostPages) break;
  }
  const tries = comments.flatMap((body): BuildTry[] => {
    const [, from = '', signature = ''] = marker.exec(body) ?? [];
    return chain.has(from) ? [{ head: from, signature }] : [];
  });
  return { tries, comments };
}
