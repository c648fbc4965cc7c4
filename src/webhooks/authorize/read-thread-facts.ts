import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import { ConfigError } from '../../contract/errors.ts';
import type { RepositoryRef } from '../../contract/plan.ts';
import type { PullFacts } from '../../contract/thread.ts';
import { isNotFound } from '../../github/api-errors.ts';
import { cloneUrl } from '../../github/clone-url.ts';
import type { Candidate } from '../triggers/find-candidate.ts';
import { isBehind, type ReportedPull } from '../triggers/is-behind.ts';

/** The repository and the thread as the API returns them. */
export interface ThreadFacts {
  /** The id of the repository that has the name now. */
  readonly repositoryId: number;
  readonly repository: RepositoryRef;
  /**
   * The base branch of a pull request, else the branch that new branches start from and go back to.
   */
  readonly baseBranch: string;
  /** The head of the base branch. */
  readonly baseHead: string;
  readonly title: string;
  readonly pull: PullFacts | null;
}

/** Options for reading a thread. */
export interface ThreadReadOptions {
  readonly serverUrl: string;
  /** The last reported version of the pull request; null for none. */
  readonly reported: ReportedPull | null;
  /** Waits for milliseconds; tests pass another clock. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/**
 * Milliseconds before each further read, while GitHub's data is older than the event. Six seconds
 * in total.
 */
const retryDelays = [500, 1_500, 4_000] as const;

/**
 * Reads repository and thread with GET requests. Reads again for some seconds if the thread does
 * not exist yet, or a pull request is older than reported.
 */
export async function readThreadFacts(
  octokit: Octokit,
  candidate: Candidate,
  { serverUrl, reported, wait = sleep }: ThreadReadOptions,
): Promise<ThreadFacts> {
  const { owner, name: repo } = candidate.repository;
  const { number } = candidate.thread;
  const read: () => Promise<ReadThread> =
    candidate.thread.kind === 'issue'
      ? async () => {
          const { data } = await octokit.rest.issues.get({ owner, repo, issue_number: number });
          return { title: data.title, pull: null, behind: false };
        }
      : async () => readPull(octokit, { owner, repo, pull_number: number }, reported);
  const [{ data: repository }, { behind: _, ...thread }] = await Promise.all([
    octokit.rest.repos.get({ owner, repo }),
    readUntilCurrent(read, wait),
  ]);
  const ref: RepositoryRef = {
    owner: repository.owner.login,
    name: repository.name,
    default_branch: repository.default_branch,
    clone_url: cloneUrl(serverUrl, repository.owner.login, repository.name),
    private: repository.private,
  };
  const baseBranch = thread.pull?.base.ref ?? ref.default_branch;
  const baseHead = thread.pull?.base.sha ?? (await readHeadOf(octokit, owner, repo, baseBranch));
  return { repositoryId: repository.id, repository: ref, baseBranch, baseHead, ...thread };
}

/**
 * Moves a thread without a pull request to the base branch of the configuration. Throws
 * `ConfigError` if there is no such branch.
 */
export async function withConfiguredBase(
  octokit: Octokit,
  facts: ThreadFacts,
  baseBranch: string | undefined,
): Promise<ThreadFacts> {
  if (facts.pull !== null || baseBranch === undefined || baseBranch === facts.baseBranch) return facts;
  const { owner, name } = facts.repository;
  try {
    return { ...facts, baseBranch, baseHead: await readHeadOf(octokit, owner, name, baseBranch) };
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const message = `branch.base is ${baseBranch}, and ${owner}/${name} has no such branch.`;
    throw new ConfigError(message, { key: 'branch.base' }, { cause });
  }
}

interface ReadThread extends Pick<ThreadFacts, 'title' | 'pull'> {
  /** True if it is older than the reported version. */
  readonly behind: boolean;
}

/** Returns the first read that is not behind, or the last one. */
async function readUntilCurrent(
  read: () => Promise<ReadThread>,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<ReadThread> {
  for (const delay of retryDelays) {
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
  pullAddress: { readonly owner: string; readonly repo: string; readonly pull_number: number },
  reported: ReportedPull | null,
): Promise<ReadThread> {
  const { data } = await octokit.rest.pulls.get(pullAddress);
  const pull: PullFacts = {
    number: data.number,
    title: data.title,
    ...(data.user ? { author: data.user.login } : {}),
    state: data.state === 'open' ? 'open' : 'closed',
    ...(data.merged ? { merged: { sha: data.merge_commit_sha } } : {}),
    // The API description promises a repository, but it is null after a fork was deleted.
    head: { ref: data.head.ref, sha: data.head.sha, repository: data.head.repo?.full_name ?? null },
    base: { ref: data.base.ref, sha: data.base.sha },
  };
  const read = { head: pull.head.sha, base: pull.base.ref, updatedAt: Date.parse(data.updated_at) };
  return { title: data.title, pull, behind: isBehind(read, reported) };
}

/** Returns the commit at the head of a branch. */
export async function readHeadOf(
  octokit: Octokit,
  owner: string,
  repo: string,
  branch: string,
): Promise<string> {
  const { data } = await octokit.rest.repos.getBranch({ owner, repo, branch });
  return data.commit.sha;
}
