import type { Octokit } from '@octokit/rest';
import { canWrite } from '../../contract/repository-permissions.ts';
import { readNote, readNotes } from '../../github/attestation-notes.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';
import {
  type AgentCommit,
  type AgentCommits,
  type HeadApproval,
  mostCommits,
} from './decide-agent-commits.ts';

/** A pull request at its head. */
export interface PullAtHead {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
  readonly head: string;
}

/** The trailers that name a run, or the attestation of its commit. */
const trailer = /^Anode-(?:Run|Attestation): /mu;

/** Reads the commits of a pull request that name a run, with their attestations. */
export async function readAgentCommits(pull: PullAtHead, octokit: Octokit): Promise<AgentCommits> {
  const at = { owner: pull.owner, repo: pull.repo };
  const listed = await octokit.paginate(octokit.rest.pulls.listCommits, {
    ...at,
    pull_number: pull.number,
    per_page: 100,
  });
  const own = listed.filter(({ commit }) => trailer.test(commit.message));
  const notes = own.length === 0 ? null : await readNotes(at, octokit);
  const commits: AgentCommit[] = [];
  for (const { sha, commit, parents } of own) {
    commits.push({
      sha,
      tree: commit.tree.sha,
      parents: parents.map((parent) => parent.sha),
      message: commit.message,
      attestation: notes === null ? null : await readNote(at, sha, notes, octokit),
    });
  }
  return { head: pull.head, commits, complete: listed.length < mostCommits };
}

/**
 * Reads who approves a pull request: the newest review of each account, unless it only comments
 * (GitHub Docs, "Approving a pull request with required reviews"). Asks for the permission of those
 * who approved the head.
 */
export async function readApprovals(pull: PullAtHead, octokit: Octokit): Promise<HeadApproval[]> {
  const { owner, repo, number, head } = pull;
  const reviews = await octokit.paginate(octokit.rest.pulls.listReviews, {
    ...{ owner, repo, pull_number: number, per_page: 100 },
  });
  const newest = new Map(
    reviews
      .filter(({ state }) => state !== 'COMMENTED' && state !== 'PENDING')
      .map((review) => [review.user?.login ?? '', review]),
  );
  const approvals: HeadApproval[] = [];
  for (const [login, { state, commit_id: sha, user }] of newest) {
    if (state !== 'APPROVED' || sha !== head || user?.type !== 'User') continue;
    const account = await readRequester(octokit, { owner, name: repo }, login);
    approvals.push({ login, counts: canWrite(account), sha });
  }
  return approvals;
}
