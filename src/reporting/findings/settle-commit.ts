import type { FileChange } from '../../contract/change.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import type { Attempt } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { closeFixed } from './close-fixed.ts';
import { type LineSource, lineStatusOf, numbered } from './line-context.ts';
import { readOwnPosts } from './own-posts.ts';
import { previousFindings, readReviewRecord } from './previous-findings.ts';
import { readDismissals } from './read-dismissals.ts';
import { readReviewThreads } from './review-threads.ts';

/** A run whose changes are a commit on the pull request. */
interface CommittedRun {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly ports: PublishPorts;
  readonly attempt: Attempt;
  /** Ids that the run reported as fixed; null if it made no statement. */
  readonly claimed: ReadonlySet<string> | null;
  /** The first comment of the thread whose answer names the commit; null for none. */
  readonly answered: number | null;
}

/**
 * Ends the findings that a run's own commit fixed, and returns the first comments of their threads.
 * The threads are resolved, and each but the answered one gets a reply that names the commit. A
 * finding that a user dismissed stays so. Safe to repeat.
 */
export async function settleCommit(run: CommittedRun, sha: string): Promise<ReadonlySet<number | null>> {
  const { outcome, plan, ports, attempt, claimed, answered } = run;
  const { octokit, ownLogin } = ports;
  const store = ports.review?.store ?? null;
  const [record, posts] = await Promise.all([
    readReviewRecord(plan, store),
    readOwnPosts(plan, octokit, ownLogin),
  ]);
  const open = previousFindings(record, posts).filter(
    ({ state, fixed }) => state === 'open' || fixed?.run_id === plan.run_id,
  );
  const changed = claimed === null && plan.verb === 'fix';
  const said = { claimed: claimed ?? new Set<string>(), requested: plan.finding?.id ?? null, changed };
  const ids = new Set<string>();
  for (const one of open) {
    const before = ports.review ? await ports.review.readText(one.path, plan.checkout.sha) : null;
    if (isFixedBy(one, outcome.changes.files, { before, ...said })) ids.add(one.id);
  }
  if (ids.size === 0) return new Set();
  const comments = posts.comments.filter(({ fp }) => ids.has(fp));
  const threads = await readReviewThreads(plan, octokit);
  for (const id of (await readDismissals(comments, threads, plan, { octokit, ownLogin })).keys())
    ids.delete(id);
  await closeFixed({ ids, sha, posts, threads, store, answered }, plan, ports, attempt);
  return new Set(comments.filter(({ fp }) => ids.has(fp)).map(({ id }) => id));
}

/**
 * True if changes fixed a finding. Its lines were deleted, or they or lines around changed and the
 * run was `requested` for it or `claimed` it as fixed. With `changed`, lines that changed are
 * enough. Lines that changed before the run prove nothing. Deleted lines can be made up for in any
 * file, so about them a claim is enough and a request is not. Pure.
 */
export function isFixedBy(
  finding: PreviousFinding,
  files: readonly FileChange[],
  {
    before,
    claimed,
    requested,
    changed,
  }: {
    readonly before: string | null;
    readonly claimed: ReadonlySet<string>;
    readonly requested: string | null;
    readonly changed: boolean;
  },
): boolean {
  const { id, path, side, anchor } = finding;
  if (side === 'LEFT' && files.length > 0 && claimed.has(id)) return true;
  const file = files.find((one) => one.path === path || one.old_path === path);
  if (file === undefined || file.binary || before === null || anchor === '') return false;
  const after = file.content === null ? '' : Buffer.from(file.content, 'base64').toString('utf8');
  const linesOf = (text: string): LineSource => ({ lines: () => numbered(text) });
  const then = lineStatusOf(finding, linesOf(before));
  const now = lineStatusOf(finding, linesOf(after), linesOf(before));
  // A finding about deleted lines ends when they are back.
  if (side === 'LEFT') return then.kind === 'gone' && now.kind !== 'gone';
  if (then.kind === 'gone' || then.kind === now.kind) return false;
  // A line that only changed, as by a rename, may be as wrong as before.
  return (now.kind === 'gone' && (changed || !now.changed)) || claimed.has(id) || requested === id;
}
