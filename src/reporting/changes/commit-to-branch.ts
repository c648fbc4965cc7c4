import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { codeSpan } from '../text/markdown.ts';
import { type BranchTarget, branchHead, createBranch, deleteBranch } from './branches.ts';
import {
  type CommitOrder,
  type CommitResult,
  type FoundCommit,
  findOrMakeRunCommit,
  findRunCommit,
  makeRunCommit,
  withAttestation,
} from './commit-changes.ts';
import { saveOwnHead } from './own-head.ts';

/** The content of a commit, without its target. */
export type CommitMaterial = Pick<CommitOrder, 'plan' | 'changes' | 'message' | 'via'>;

/** The result of a commit on the pull request's branch, with a note for the report. */
export type HeadCommit =
  | {
      readonly kind: 'committed';
      readonly sha: string;
      readonly url: string;
      readonly note: string | null;
      /** Its attestation, a signed envelope as JSON; undefined without one. */
      readonly attestation: string | undefined;
    }
  /** Someone else made the same changes. */
  | { readonly kind: 'same'; readonly note: string }
  | { readonly kind: 'failed'; readonly reason: string | null; readonly message: string };

/** Checks changes that were rebased. Returns how to commit them, or why not. */
export type CheckRebased = (changes: CommitMaterial['changes']) => { readonly via: 'api' | 'push' } | string;

const mostRebases = 3;

/**
 * Commits onto an existing branch, never by force. If the branch moved, the changes are rebased,
 * provided they merge cleanly and may still be committed. Throws GitHub's refusals.
 */
export async function commitToHead(
  material: CommitMaterial,
  target: { readonly branch: string; readonly expected_sha: string },
  check: CheckRebased,
  ports: PublishPorts,
): Promise<HeadCommit> {
  const { plan } = material;
  const { branch, expected_sha: from } = target;
  const gone = failed(`Not committed, as ${codeSpan(branch)} is gone.`);
  let onto = await branchHead(plan, branch, ports);
  if (onto === null) return gone;
  const existing = await findRunCommit(plan, branch, ports);
  if (existing !== null) {
    const attested = await withAttestation(existing, { ...material, expectedSha: from }, ports);
    return savedHead(existing.parent ?? from, noted(attested, from, branch), plan, ports);
  }
  let order: CommitOrder = { ...material, branch, expectedSha: from };
  let note: string | null = null;
  for (let rebases = 0; rebases <= mostRebases; rebases += 1) {
    if (onto === order.expectedSha) {
      const result = await makeRunCommit(order, ports);
      if (result.kind !== 'moved') return savedHead(onto, ended(result, note), plan, ports);
      onto = await headOtherThan(order.expectedSha, plan, branch, ports);
      if (onto === null) return gone;
    }
    const rebased = await rebaseOrder({ ...material, branch, expectedSha: from }, onto, check, ports);
    if ('kind' in rebased) return rebased;
    order = rebased;
    note = rebasedNote(onto, branch);
  }
  return failed(`${movedFrom(branch)}, again and again.`);
}

/** Stores that the new head is ours, if there is one. */
async function savedHead(
  onto: string,
  commit: HeadCommit,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<HeadCommit> {
  if (commit.kind === 'committed') await saveOwnHead(plan, { sha: commit.sha, onto }, ports);
  return commit;
}

/** Notes a commit that an earlier attempt made on another head. */
const noted = (commit: FoundCommit, from: string, branch: string): HeadCommit =>
  ended(commit, commit.parent === null || commit.parent === from ? null : rebasedNote(commit.parent, branch));

function ended(result: Exclude<CommitResult, { kind: 'moved' }>, note: string | null): HeadCommit {
  if (result.kind === 'failed') return { kind: 'failed', reason: null, message: result.message };
  const { kind, sha, url, attestation, unattested } = result;
  const notes = [note, unattested ?? null].filter((one) => one !== null);
  return { kind, sha, url, attestation, note: notes.length === 0 ? null : notes.join(' ') };
}

const failed = (reason: string): HeadCommit => ({ kind: 'failed', reason, message: '' });

const movedFrom = (branch: string): string =>
  `Not committed, as ${codeSpan(branch)} moved while the run worked`;

/** Moves a commit onto the new head. Returns the end instead if it cannot or need not be made. */
async function rebaseOrder(
  order: CommitOrder,
  onto: string,
  check: CheckRebased,
  ports: PublishPorts,
): Promise<CommitOrder | HeadCommit> {
  const { plan, branch, changes, expectedSha: from } = order;
  const moved = movedFrom(branch);
  if (ports.rebase === undefined || ports.config.commit?.rebase === false) return failed(`${moved}.`);
  const rebased = await rebaseSafely({ branch, from, patch: changes.patch, onto }, plan, ports);
  const head = codeSpan(onto.slice(0, 7));
  if (rebased === null) return failed(`${moved}, and ${head} could not be fetched.`);
  if (rebased.kind === 'conflict')
    return failed(`${moved}, and they do not merge with ${head} by themselves.`);
  if (rebased.kind === 'same')
    return { kind: 'same', note: `Not committed, as ${head} on ${codeSpan(branch)} has the same changes.` };
  const checked = check(rebased.changes);
  if (typeof checked === 'string') return failed(checked);
  return { ...order, via: checked.via, changes: rebased.changes, expectedSha: onto };
}

/** Milliseconds between reads of a branch that moved while GitHub's answer is stale. */
const looks = [500, 1_500, 4_000] as const;

/**
 * Returns the head of a branch that is known to have moved. GitHub's answer may be seconds old, so
 * it is read again.
 */
async function headOtherThan(
  sha: string,
  plan: RunPlan,
  branch: string,
  ports: Pick<PublishPorts, 'octokit' | 'wait'>,
): Promise<string | null> {
  const { wait = sleep } = ports;
  let head = await branchHead(plan, branch, ports);
  for (const delay of looks) {
    if (head !== sha) break;
    await wait(delay);
    head = await branchHead(plan, branch, ports);
  }
  return head;
}

const rebasedNote = (sha: string, branch: string): string =>
  `Put on top of ${codeSpan(sha.slice(0, 7))}, which came onto ${codeSpan(branch)} while the run worked: nothing was run on the two together.`;

/** Git may fail on what others pushed, which must not lose the changes. */
async function rebaseSafely(
  order: Parameters<NonNullable<PublishPorts['rebase']>>[0],
  plan: RunPlan,
  { rebase, log }: PublishPorts,
): Promise<Awaited<ReturnType<NonNullable<PublishPorts['rebase']>>> | null> {
  try {
    return (await rebase?.(order)) ?? null;
  } catch (error) {
    if (!(error instanceof Error) || readApiFailure(error) !== null) throw error;
    log.warn({ run: plan.run_id, message: error.message }, 'The changes could not be rebased.');
    return null;
  }
}

/** Most names that are tried for a new branch. */
const mostNames = 9;

/** Git stores a branch as a file of its name: `a` and `a/b` exclude each other. */
const otherBranchNote = (branch: string, other: string): string =>
  `there can be no branch ${branch} beside the branch ${other}. Rename that one, or set branch.prefix or branch.template.`;

/** A branch whose name is a folder of this one's; null where there is none. */
async function blockingBranch(plan: RunPlan, branch: string, ports: PublishPorts): Promise<string | null> {
  const parts = branch.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const other = parts.slice(0, count).join('/');
    if ((await branchHead(plan, other, ports)) !== null) return other;
  }
  return null;
}

/**
 * A commit on a new branch. `remains`: the branch was created, got no commit and could not be
 * deleted.
 */
export interface NewBranchCommit {
  readonly branch: string;
  readonly result: CommitResult;
  readonly remains?: boolean;
}

/**
 * Commits onto a new branch. If another's branch has the name, the next one is tried: `…-2`. A
 * branch without a commit is deleted again.
 */
export async function commitToNewBranch(
  material: CommitMaterial,
  target: BranchTarget,
  ports: PublishPorts,
): Promise<NewBranchCommit> {
  const { plan } = material;
  const { expected_sha } = target;
  // Remembers the branch that the run created. Another branch of that name is someone else's.
  const key = stateKeys.making(plan.run_id, 'branch');
  const names = Array.from({ length: mostNames }, (_, index) =>
    index === 0 ? target.branch : `${target.branch}-${index + 1}`,
  );
  let result: CommitResult = { kind: 'failed', message: 'Every name for a branch is taken.', broken: false };
  for (const branch of names) {
    const head = await openBranch(plan, { branch, expected_sha }, ports);
    if (typeof head !== 'string') return { branch, result: head };
    if (head !== expected_sha) {
      const existing = await findRunCommit(plan, branch, ports);
      if (existing !== null)
        return {
          branch,
          result: await withAttestation(existing, { ...material, expectedSha: expected_sha }, ports),
        };
      continue;
    }
    if ((await ports.store.get(key)) !== branch) continue;
    result = await findOrMakeRunCommit({ ...material, branch, expectedSha: expected_sha }, ports);
    if (result.kind === 'committed') return { branch, result };
    if (result.kind === 'moved') continue;
    return { branch, result, remains: !(await deleteBranch(plan, { branch, expected_sha }, ports)) };
  }
  return { branch: target.branch, result };
}

/** Returns the head of a branch, which is created if needed, or why it cannot be. */
async function openBranch(
  plan: RunPlan,
  target: Pick<BranchTarget, 'branch' | 'expected_sha'>,
  ports: PublishPorts,
): Promise<string | CommitResult> {
  const { branch } = target;
  const head = await branchHead(plan, branch, ports);
  if (head !== null) return head;
  await ports.store.set(stateKeys.making(plan.run_id, 'branch'), branch);
  try {
    return await createBranch(plan, target, ports);
  } catch (error) {
    const isTaken = readApiFailure(error)?.status === 422;
    const blocking = isTaken ? await blockingBranch(plan, branch, ports) : null;
    if (blocking === null) throw error;
    return { kind: 'failed', message: otherBranchNote(branch, blocking), broken: false };
  }
}
