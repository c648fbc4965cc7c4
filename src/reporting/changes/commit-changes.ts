import type { ChangeSet } from '../../contract/change.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { missingPermission, permissionRemedy } from '../../github/missing-permission.ts';
import { type ApiFailure, explainRefusal, readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { withoutRetries } from '../posting/post-once.ts';
import { attachAttestation } from './attach-attestation.ts';
import { type CommitMessage, runTrailer } from './commit-message.ts';

/** A commit to make: on which branch, on top of what, with what. */
export interface CommitOrder {
  readonly plan: RunPlan;
  readonly branch: string;
  readonly expectedSha: string;
  readonly changes: ChangeSet;
  /** Asked for only where a commit is made. */
  readonly message: () => Promise<CommitMessage>;
  readonly via: 'api' | 'push';
}

/** The result of a commit. `moved`: someone else pushed to the branch, and nothing was written. */
export type CommitResult =
  | {
      readonly kind: 'committed';
      readonly sha: string;
      readonly url: string;
      /** Its attestation: a signed envelope as JSON. Omitted without one. */
      readonly attestation?: string;
      /** A sentence on why the attestation could not be stored. Omitted if nothing is missing. */
      readonly unattested?: string;
    }
  | { readonly kind: 'moved' }
  /** `broken`: GitHub could not answer (5xx, or no content); the commit may exist. */
  | { readonly kind: 'failed'; readonly message: string; readonly broken: boolean };

type Committed = Extract<CommitResult, { kind: 'committed' }>;

const createCommit = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid url } }
}`;

type Ports = Pick<PublishPorts, 'octokit' | 'pushCommit' | 'triedAgain' | 'attest'>;

/**
 * Makes the run's commit, or returns the one that carries its trailer. Never forces: the branch
 * must still be at `expectedSha`. If GitHub's API fails, git pushes the commit.
 */
export async function findOrMakeRunCommit(order: CommitOrder, ports: Ports): Promise<CommitResult> {
  const found = await findRunCommit(order.plan, order.branch, ports);
  return found === null ? makeRunCommit(order, ports) : withAttestation(found, order, ports);
}

/**
 * Stores the attestation of a commit that an earlier attempt made, unless that attempt did. A
 * commit that was rebased stays without one, as its patch is no longer known.
 */
export async function withAttestation(
  found: FoundCommit,
  order: Pick<CommitOrder, 'plan' | 'expectedSha' | 'changes'>,
  ports: Ports,
): Promise<FoundCommit> {
  if (found.parent !== order.expectedSha) return found;
  const attestation = await ports.attest?.({ onto: found.parent, patch: order.changes.patch });
  const isNamed = attestation != null && found.message.split('\n').includes(attestation.trailer);
  if (!isNamed) return found;
  const signed = await attestation.sign();
  return 'text' in signed ? attached(found, signed.text, order, ports) : { ...found, ...signed };
}

/**
 * Commits to a branch known to have no commit of this run. A commit that could not be attested
 * names no attestation. Throws the outage if both ways fail and the publisher retries.
 */
export async function makeRunCommit(order: CommitOrder, ports: Ports): Promise<CommitResult> {
  const attestation = (await ports.attest?.({ onto: order.expectedSha, patch: order.changes.patch })) ?? null;
  const { headline, body } = await order.message();
  if (attestation === null) return commitOrFind(order, { headline, body }, ports);
  const signed = await attestation.sign();
  const isSigned = 'text' in signed;
  const message = { headline, body: isSigned ? `${body}\n${attestation.trailer}` : body };
  const result = await commitOrFind(order, message, ports);
  if (result.kind !== 'committed') return result;
  return isSigned ? attached(result, signed.text, order, ports) : { ...result, ...signed };
}

/** Stores the attestation of a commit. A refusal of GitHub costs the commit nothing. */
async function attached<Commit extends Committed>(
  commit: Commit,
  text: string,
  { plan }: Pick<CommitOrder, 'plan'>,
  { octokit }: Ports,
): Promise<Commit> {
  const attestedCommit = { ...commit, attestation: text };
  try {
    await attachAttestation(commit.sha, text, { plan, octokit });
    return attestedCommit;
  } catch (error) {
    if (readApiFailure(error) === null) throw error;
    return {
      ...attestedCommit,
      unattested: `The attestation could not be stored: ${explainRefusal(error, plan)}`,
    };
  }
}

async function commitOrFind(order: CommitOrder, message: CommitMessage, ports: Ports): Promise<CommitResult> {
  const { result, outage } = await makeCommit(order, message, ports);
  if (result.kind === 'committed') return result;
  // The answer may have been lost, or the head may have moved by our own commit.
  const found = await findRunCommit(order.plan, order.branch, ports);
  if (found !== null || result.kind === 'moved' || !result.broken) return found ?? result;
  const pushes = order.via === 'api' && ports.pushCommit !== undefined;
  const pushed = pushes ? await commitByPush(order, message, ports) : result;
  if (pushed.kind === 'committed') return pushed;
  const late = pushes ? await findRunCommit(order.plan, order.branch, ports) : null;
  if (late === null && pushed.kind === 'failed' && ports.triedAgain && outage !== null) throw outage;
  return late ?? pushed;
}

/** The result, with the error if GitHub was down; null for none. */
interface Made {
  readonly result: CommitResult;
  readonly outage: Error | null;
}

async function makeCommit(order: CommitOrder, text: CommitMessage, ports: Ports): Promise<Made> {
  try {
    const result = await (order.via === 'api' ? commitByApi : commitByPush)(order, text, ports);
    return { result, outage: null };
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || !(error instanceof Error)) throw error;
    if (isStale(failure)) return { result: { kind: 'moved' }, outage: null };
    const broken = failure.status >= 500;
    const permission = missingPermission(error);
    const message =
      permission === null ? failure.message : permissionRemedy(permission, order.plan.source.kind);
    return { result: { kind: 'failed', message, broken }, outage: broken ? error : null };
  }
}

async function commitByPush(
  { plan, branch, expectedSha, changes }: CommitOrder,
  { headline, body }: CommitMessage,
  ports: Ports,
): Promise<CommitResult> {
  if (ports.pushCommit === undefined) {
    return { kind: 'failed', message: 'No git push is available.', broken: false };
  }
  try {
    const message = `${headline}\n\n${body}\n`;
    const pushed = await ports.pushCommit({ branch, expectedSha, message, patch: changes.patch });
    if (pushed === 'moved') return { kind: 'moved' };
    return { kind: 'committed', sha: pushed.sha, url: commitUrl(plan, pushed.sha) };
  } catch (error) {
    // Whatever the error of git, the report must still contain the changes.
    if (!(error instanceof Error)) throw error;
    const permission = missingPermission(error);
    const why = permission === null ? error.message : permissionRemedy(permission, plan.source.kind);
    return { kind: 'failed', message: why, broken: false };
  }
}

/**
 * Commits by GitHub's API, which signs the commit (GitHub Docs, GraphQL, "createCommitOnBranch").
 */
async function commitByApi(
  order: CommitOrder,
  message: CommitMessage,
  { octokit }: Ports,
): Promise<CommitResult> {
  const { owner, name } = order.plan.repository;
  const answer = await octokit.graphql<{
    createCommitOnBranch: { commit: { oid: string; url: string } | null } | null;
  }>(createCommit, {
    input: {
      branch: { repositoryNameWithOwner: `${owner}/${name}`, branchName: order.branch },
      expectedHeadOid: order.expectedSha,
      message,
      fileChanges: fileChangesOf(order.changes),
    },
    request: withoutRetries,
  });
  const commit = answer.createCommitOnBranch?.commit;
  if (commit == null) {
    return { kind: 'failed', message: 'GitHub made no commit and gave no reason.', broken: true };
  }
  return { kind: 'committed', sha: commit.oid, url: commit.url };
}

/** The changes as additions (base64) and deletions; a rename is one of each. */
function fileChangesOf(changes: ChangeSet): {
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

const day = 86_400_000;

/** A commit that the run made already, with its parent and its whole message. */
export type FoundCommit = Committed & { readonly parent: string | null; readonly message: string };

/** Finds the run's commit among those since the request. Null if there is none. */
export async function findRunCommit(
  plan: RunPlan,
  branch: string,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<FoundCommit | null> {
  const trailer = runTrailer(plan.run_id);
  const pages = octokit.paginate.iterator(octokit.rest.repos.listCommits, {
    ...repoOf(plan),
    sha: branch,
    // A day earlier: dates come from the clock that made the commit.
    since: new Date(Date.parse(plan.triggered_at) - day).toISOString(),
    per_page: 100,
  });
  try {
    for await (const { data } of pages) {
      const own = data.find(({ commit }) => commit.message.split('\n').includes(trailer));
      if (own !== undefined) {
        const { sha, html_url: url, parents, commit } = own;
        return { kind: 'committed', sha, url, parent: parents[0]?.sha ?? null, message: commit.message };
      }
    }
  } catch (error) {
    if (!unknownBranch.has(readApiFailure(error)?.status ?? 0)) throw error;
  }
  return null;
}

/** GitHub's statuses for a branch that does not exist, or is too new for every server to know. */
const unknownBranch = new Set([404, 422]);

function commitUrl(plan: RunPlan, sha: string): string {
  return `${plan.repository.clone_url.replace(/\.git$/u, '')}/commit/${sha}`;
}
