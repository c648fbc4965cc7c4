import type { Octokit } from '@octokit/rest';
import type { RepositoryRef } from '../../contract/plan.ts';
import { cloneUrl } from '../../github/clone-url.ts';
import type { Candidate } from '../event/find-candidate.ts';
import type { PullFacts } from './make-plan.ts';

/** The repository and the thread as the API has them now. */
export interface ThreadPlace {
  /** The id of the repository that has the name now. */
  readonly repositoryId: number;
  readonly repository: RepositoryRef;
  /** The commit at the head of the default branch; for a pull request, that of its base branch. */
  readonly defaultHead: string;
  readonly title: string;
  readonly pull: PullFacts | null;
}

/** Reads repository and thread, by GET requests only. */
export async function readPlace(
  octokit: Octokit,
  candidate: Candidate,
  serverUrl: string,
): Promise<ThreadPlace> {
  const { owner, name: repo } = candidate.repository;
  const { number } = candidate.thread;
  const [{ data: repository }, thread] = await Promise.all([
    octokit.rest.repos.get({ owner, repo }),
    candidate.thread.kind === 'issue'
      ? octokit.rest.issues
          .get({ owner, repo, issue_number: number })
          .then(({ data }) => ({ title: data.title, pull: null }))
      : readPull(octokit, owner, repo, number),
  ]);
  const ref: RepositoryRef = {
    owner: repository.owner.login,
    name: repository.name,
    default_branch: repository.default_branch,
    clone_url: cloneUrl(serverUrl, repository.owner.login, repository.name),
    private: repository.private,
  };
  const defaultHead = thread.pull?.base.sha ?? (await readHeadOf(octokit, owner, repo, ref.default_branch));
  return { repositoryId: repository.id, repository: ref, defaultHead, ...thread };
}

async function readPull(octokit: Octokit, owner: string, repo: string, pull_number: number) {
  const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number });
  const pull: PullFacts = {
    number: data.number,
    title: data.title,
    state: data.state === 'open' ? 'open' : 'closed',
    // The description says that the head's repository is always there; it is null when a fork was deleted.
    head: { ref: data.head.ref, sha: data.head.sha, repository: data.head.repo?.full_name ?? null },
    base: { ref: data.base.ref, sha: data.base.sha },
  };
  return { title: data.title, pull };
}

/** The commit at the head of a branch. */
export async function readHeadOf(
  octokit: Octokit,
  owner: string,
  repo: string,
  branch: string,
): Promise<string> {
  const { data } = await octokit.rest.repos.getBranch({ owner, repo, branch });
  return data.commit.sha;
}
