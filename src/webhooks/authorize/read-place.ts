import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import type { RepositoryRef } from '../../contract/plan.ts';
import type { PullFacts } from '../../contract/thread.ts';
import { isNotFound } from '../../github/api-errors.ts';
import { cloneUrl } from '../../github/clone-url.ts';
import type { Candidate } from '../triggers/find-candidate.ts';
import { isBehind, type ToldPull } from '../triggers/is-behind.ts';

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

/** What reading a thread needs to know beside it. */
export interface PlaceFacts {
  readonly serverUrl: string;
  /** What is known of the pull request already; null for nothing. */
  readonly told: ToldPull | null;
  /** Waits that many milliseconds; another clock in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds before each further look at a thread, where GitHub's answer is of before the event: six seconds in all. */
const looks = [500, 1_500, 4_000] as const;

/**
 * Reads repository and thread, by GET requests only. A thread that is not there yet, or a pull request that is of before what was
 * told, is looked at again for some seconds.
 */
export async function readPlace(
  octokit: Octokit,
  candidate: Candidate,
  { serverUrl, told, wait = sleep }: PlaceFacts,
): Promise<ThreadPlace> {
  const { owner, name: repo } = candidate.repository;
  const { number } = candidate.thread;
  const read: () => Promise<ReadThread> =
    candidate.thread.kind === 'issue'
      ? async () => {
          const { data } = await octokit.rest.issues.get({ owner, repo, issue_number: number });
          return { title: data.title, pull: null, behind: false };
        }
      : async () => readPull(octokit, { owner, repo, pull_number: number }, told);
  const [{ data: repository }, { behind: _, ...thread }] = await Promise.all([
    octokit.rest.repos.get({ owner, repo }),
    untilThere(read, wait),
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

interface ReadThread extends Pick<ThreadPlace, 'title' | 'pull'> {
  /** True where it is of before what is known already. */
  readonly behind: boolean;
}

/** The first read that is not behind, or the last. */
async function untilThere(
  read: () => Promise<ReadThread>,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<ReadThread> {
  for (const delay of looks) {
    const thread = await read().catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    if (thread?.behind === false) return thread;
    await wait(delay);
  }
  return read();
}

async function readPull(
  octokit: Octokit,
  place: { readonly owner: string; readonly repo: string; readonly pull_number: number },
  told: ToldPull | null,
): Promise<ReadThread> {
  const { data } = await octokit.rest.pulls.get(place);
  const pull: PullFacts = {
    number: data.number,
    title: data.title,
    state: data.state === 'open' ? 'open' : 'closed',
    // The description says that the head's repository is always there; it is null when a fork was deleted.
    head: { ref: data.head.ref, sha: data.head.sha, repository: data.head.repo?.full_name ?? null },
    base: { ref: data.base.ref, sha: data.base.sha },
  };
  const read = { head: pull.head.sha, base: pull.base.ref, updatedAt: Date.parse(data.updated_at) };
  return { title: data.title, pull, behind: isBehind(read, told) };
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
