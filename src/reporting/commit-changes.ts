import type { ChangeSet } from '../contract/change.ts';
import type { RunPlan } from '../contract/plan.ts';
import { type ApiFailure, readApiFailure } from './api-failure.ts';
import { type CommitMessage, runTrailer } from './commit-message.ts';
import type { CommitTarget, PublishPorts } from './ports.ts';
import { withoutRetries } from './post-once.ts';

/** A commit to make: on which branch, on top of what, with what. */
export interface CommitOrder {
  readonly plan: RunPlan;
  readonly branch: string;
  readonly expectedSha: string;
  readonly changes: ChangeSet;
  readonly message: CommitMessage;
  readonly via: 'api' | 'push';
}

/** What came of it. `moved`: somebody pushed in between, and nothing was written. */
export type CommitResult =
  | { readonly kind: 'committed'; readonly sha: string; readonly url: string }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly message: string };

const createCommit = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url } }
}`;

type Ports = Pick<PublishPorts, 'octokit' | 'pushCommit'>;

/**
 * Makes the run's one commit, once: a commit of this run among the last hundred of the branch, known by its
 * trailer, is taken as it is. Never forced: the branch must still be at `expectedSha`.
 */
export async function commitChanges(order: CommitOrder, ports: Ports): Promise<CommitResult> {
  const existing = await findRunCommit(order, ports);
  if (existing !== null) return existing;
  const result = await makeCommit(order, ports);
  if (result.kind === 'committed') return result;
  // The answer may have been lost, or the head may have moved by our own commit.
  return (await findRunCommit(order, ports)) ?? result;
}

async function makeCommit(order: CommitOrder, ports: Ports): Promise<CommitResult> {
  const { branch, expectedSha, message } = order;
  try {
    if (order.via === 'api') return await commitByApi(order, ports);
    const text = `${message.headline}\n\n${message.body}\n`;
    return await commitByPush(order, { branch, expectedSha, message: text }, ports);
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    return isStale(failure) ? { kind: 'moved' } : { kind: 'failed', message: failure.message };
  }
}

async function commitByPush(order: CommitOrder, target: CommitTarget, ports: Ports): Promise<CommitResult> {
  if (ports.pushCommit === undefined) return { kind: 'failed', message: 'No git push is available.' };
  try {
    const pushed = await ports.pushCommit(target);
    if (pushed === 'moved') return { kind: 'moved' };
    return { kind: 'committed', sha: pushed.sha, url: commitUrl(order.plan, pushed.sha) };
  } catch (error) {
    // Whatever git had against it, the changes must still find their way into the report.
    if (!(error instanceof Error)) throw error;
    return { kind: 'failed', message: error.message };
  }
}

/** By GitHub's own hand, so that it signs the commit (GitHub Docs, GraphQL, "createCommitOnBranch"). */
async function commitByApi(order: CommitOrder, { octokit }: Ports): Promise<CommitResult> {
  const { owner, name } = order.plan.repository;
  const answer = await octokit.graphql<{
    createCommitOnBranch: { commit: { oid: string; url: string } | null } | null;
  }>(createCommit, {
    input: {
      branch: { repositoryNameWithOwner: `${owner}/${name}`, branchName: order.branch },
      expectedHeadOid: order.expectedSha,
      message: order.message,
      fileChanges: fileChangesOf(order.changes),
    },
    request: withoutRetries,
  });
  const commit = answer.createCommitOnBranch?.commit;
  if (commit == null) return { kind: 'failed', message: 'GitHub made no commit and gave no reason.' };
  return { kind: 'committed', sha: commit.oid, url: commit.url };
}

/** The changes as additions (base64) and deletions; a rename is one of each. */
export function fileChangesOf(changes: ChangeSet): {
  additions: { path: string; contents: string }[];
  deletions: { path: string }[];
} {
  const additions: { path: string; contents: string }[] = [];
  const deletions: { path: string }[] = [];
  for (const file of changes.files) {
    if (file.kind === 'delete') deletions.push({ path: file.path });
    else if (file.content === null) throw new Error(`The change of ${file.path} has no content.`);
    else additions.push({ path: file.path, contents: file.content });
    if (file.kind === 'rename' && file.old_path !== undefined) deletions.push({ path: file.old_path });
  }
  return { additions, deletions };
}

function isStale(failure: ApiFailure): boolean {
  return failure.types.includes('STALE_DATA');
}

async function findRunCommit(
  { plan, branch }: CommitOrder,
  { octokit }: Ports,
): Promise<CommitResult | null> {
  const { data } = await octokit.rest.repos.listCommits({
    owner: plan.repository.owner,
    repo: plan.repository.name,
    sha: branch,
    per_page: 100,
  });
  const trailer = runTrailer(plan.run_id);
  const own = data.find(({ commit }) => commit.message.split('\n').includes(trailer));
  return own === undefined ? null : { kind: 'committed', sha: own.sha, url: own.html_url };
}

function commitUrl(plan: RunPlan, sha: string): string {
  return `${plan.repository.clone_url.replace(/\.git$/u, '')}/commit/${sha}`;
}
