import type { Octokit } from '@octokit/rest';
import { findByTypedId } from '../../contract/finding-id.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PreviousFinding, ReviewRecord } from '../../contract/review-record.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { codeSpan } from '../text/markdown.ts';
import { readOwnPosts } from './own-posts.ts';
import { readReviewRecord, saveReviewRecord } from './previous-findings.ts';
import { resolveThreadAt } from './review-threads.ts';

/** A dismissal of a finding of ours, in the words of the user who dismissed it. */
interface Dismissal {
  readonly plan: Pick<RunPlan, 'repository' | 'thread'>;
  /** The id, whole or its beginning; null for the finding whose thread `root` begins. */
  readonly id: string | null;
  /** The first comment of the thread of the finding; null for a dismissal elsewhere. */
  readonly root: number | null;
  readonly by: string;
  readonly reason: string;
}

interface DismissalPorts {
  readonly octokit: Octokit;
  readonly ownLogin: string;
  /** Null if the store could be forged. */
  readonly store: StateStore | null;
}

/**
 * Stores that the finding of a thread is dismissed, by whom and why, and resolves the thread.
 * Without a store the answer in the thread counts. Safe to repeat.
 */
export async function dismissInThread(
  dismissal: Dismissal & { readonly id: string; readonly root: number },
  { octokit, store }: Pick<DismissalPorts, 'octokit' | 'store'>,
): Promise<void> {
  await storeDismissal(await readReviewRecord(dismissal.plan, store), dismissal, store);
  await resolveThreadAt(dismissal.root, dismissal.plan, octokit);
}

const nothingStored =
  'Nothing is stored of findings here, which takes the input `state_secret` of the workflow, so no command can dismiss one. Answer in the thread of a finding instead, such as "won\'t fix".';
const noId = 'Name the finding by its id in my summary, or use `dismiss` in the thread of a finding.';

/**
 * Dismisses the finding that a command names by its id, or in whose thread it stands. Returns why
 * it is not dismissed; '' if it is. Safe to repeat.
 */
export async function dismissFinding(dismissal: Dismissal, ports: DismissalPorts): Promise<string> {
  const { plan, root, by } = dismissal;
  const { octokit, ownLogin, store } = ports;
  if (store === null) return nothingStored;
  const record = await readReviewRecord(plan, store);
  const { comments } = await readOwnPosts(plan, octokit, ownLogin);
  const id = dismissal.id ?? comments.find((comment) => comment.id === root)?.fp;
  if (id === undefined) return noId;
  const finding = findByTypedId(record?.findings ?? [], id);
  if (finding === null) return `No finding of this pull request has the id ${codeSpan(id)}. ${noId}`;
  if (finding.state === 'fixed') return 'This finding is fixed already.';
  const isRepeated = finding.state === 'dismissed' && finding.dismissed_by === by;
  if (finding.state === 'dismissed' && !isRepeated) return 'This finding is dismissed already.';
  await storeDismissal(record, { ...dismissal, id: finding.id }, store);
  const thread = comments.find(({ fp }) => fp === finding.id);
  if (thread !== undefined) await resolveThreadAt(thread.id, plan, octokit);
  return '';
}

async function storeDismissal(
  record: ReviewRecord | null,
  { plan, id, by, reason }: Dismissal,
  store: StateStore | null,
): Promise<void> {
  if (record === null) return;
  const dismissed = { state: 'dismissed' as const, dismissed_by: by, dismissed_reason: reason };
  // A run may have read the same answer before, but not its words.
  const isOpen = (one: PreviousFinding) =>
    one.state === 'open' || (one.state === 'dismissed' && one.dismissed_by === by && !one.dismissed_reason);
  const findings = record.findings.map((one) =>
    one.id === id && isOpen(one) ? { ...one, ...dismissed } : one,
  );
  await saveReviewRecord(plan, store, { ...record, findings });
}
