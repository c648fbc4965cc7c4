import type { Config } from '../../config/schema.ts';
import { findByTypedId } from '../../contract/finding-id.ts';
import type { Severity } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { isReview } from '../../contract/work-of.ts';
import type { HunkMap } from '../diff/hunk-map.ts';
import { findFixingCommit } from '../findings/fixing-commit.ts';
import { textSource } from '../findings/line-context.ts';
import { type OwnPosts, readAllOwnPosts, readOwnPosts } from '../findings/own-posts.ts';
import { previousFindings, readReviewRecord, saveReviewRecord } from '../findings/previous-findings.ts';
import { isReopened, readDismissals } from '../findings/read-dismissals.ts';
import { type Reconciled, type ReconcileFacts, reconcile } from '../findings/reconcile.ts';
import { reportableFindings } from '../findings/reportable-findings.ts';
import {
  isOwnLogin,
  type ReviewThread,
  readReviewThreads,
  resolveOpenThreads,
} from '../findings/review-threads.ts';
import type { PublishPorts, ReviewPorts } from '../posting/ports.ts';
import { findingsOnLines } from './make-review.ts';

/** The earlier findings of a pull request, compared with this run's. */
export interface ReviewState {
  readonly reconciled: Reconciled;
  /** Stored findings, with the commits that fixed them. */
  readonly findings: readonly PreviousFinding[];
  readonly reviewed: ReviewPorts['reviewed'];
  readonly posts: OwnPosts;
  readonly threads: ReadonlyMap<number, ReviewThread> | null;
  readonly complete: boolean;
}

interface StateRequest {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly map: HunkMap;
  readonly review: ReviewPorts;
  readonly ports: PublishPorts;
}

/**
 * Reads earlier findings from record, reviews and threads, and compares this run's with them.
 * Stores the result before anything is posted. Throws if GitHub does not answer.
 */
export async function readReviewState({
  outcome,
  plan,
  map,
  review,
  ports,
}: StateRequest): Promise<ReviewState> {
  const { octokit, ownLogin, config } = ports;
  const record = await readReviewRecord(plan, review.store);
  const readPosts = record === null ? readAllOwnPosts : readOwnPosts;
  const posts = await readPosts(plan, octokit, ownLogin);
  const findings = reportableFindings(outcome.findings, config.review ?? {}, map);
  const before = previousFindings(record, posts, plan.triggered_at).map((previous) =>
    renamed(previous, review, map),
  );
  const earlier = before.filter((previous) => previous.run_id !== plan.run_id);
  const remembered = new Map(earlier.map((previous) => [previous.id, previous]));
  const comments = posts.comments.filter(({ fp }) => remembered.has(fp));
  const threads = comments.length === 0 ? null : await readReviewThreads(plan, octokit);
  const open = comments.filter(({ fp }) => remembered.get(fp)?.state === 'open');
  const dismissed = await readDismissals(open, threads, plan, { octokit, ownLogin });
  // Before they are stored as dismissed: a later attempt would not find them. Without a record, a
  // thread that we resolved counts as fixed.
  const over = review.store === null ? [] : open.filter(({ fp }) => dismissed.has(fp));
  await resolveOpenThreads(over, threads, octokit);
  const resolvedByUs = new Set(
    comments.flatMap(({ fp, id }) => {
      const thread = threads?.get(id);
      return thread?.resolved && isOwnLogin(thread.resolvedBy, ownLogin) ? [fp] : [];
    }),
  );
  // Without a record, only threads that we resolved identify fixed findings.
  const again = new Set(
    comments.flatMap((comment) => (isReopened(comment, threads?.get(comment.id)) ? [comment.fp] : [])),
  );
  const previous = before.map((one) => {
    if (record === null) return resolvedByUs.has(one.id) ? asFixed(one) : one;
    const open = { ...one, state: 'open' as const, dismissed_by: null };
    return one.state === 'dismissed' && again.has(one.id) ? open : one;
  });
  const paths = [...findings, ...previous].map(({ path }) => path);
  const source = await textSource(paths, plan.checkout.sha, map, review);
  // Checks prove nothing about a model's findings. Without new changes, a model has nothing to
  // report.
  const hasReviewed = outcome.turns > 0 || review.nothingNew;
  // A review without a report may have repeated a finding in its answer.
  const ended = outcome.conclusion === 'success' && outcome.unreported === undefined;
  const complete = isReview(plan) && ended && hasReviewed;
  const checks = new Set(outcome.checks_whole ?? []);
  const usedIds = idsOfOthers(posts, plan);
  const isLater = record?.reviewed != null && record.reviewed.head !== plan.checkout.sha;
  const closed = isLater ? closedBy(outcome, previous) : new Map<string, string>();
  const { isOutside = wasOutside } = review;
  const known = { runId: plan.run_id, findings, previous, source, usedIds, dismissed, checks };
  const facts = { ...known, closed, isOutside };
  // After our own commit, or without new changes, findings whose lines were deleted are fixed.
  const goneIsFixed = ended && (review.nothingNew || plan.own_commit !== undefined);
  const evidence = evidenceOf(complete, previous, { ...review, goneIsFixed });
  const fixedBefore = await fixedSince(previous, review);
  const reconciled = { ...reconcile({ ...facts, evidence }), fixedBefore };
  const onLines = findingsOnLines({ reconciled, map, ...threadLimits(config) }).map(({ one }) => one.id);
  const settled = await withCommits(reconciled, plan, review);
  const after = markFolded(settled, reconciled, new Set(onLines));
  const reviewed = record?.reviewed ?? null;
  await saveReviewRecord(plan, review.store, {
    ...{ version: 1, reviewed, findings: after },
    located: plan.checkout.sha,
  });
  return { reconciled, findings: after, reviewed, posts, threads, complete };
}

/** A run that does not compare two diffs leaves a finding where it is. */
const wasOutside = ({ outside }: PreviousFinding): boolean => outside === true;

/** Returns the reasons of closed findings by their whole ids. */
function closedBy(
  { closed_findings: closed = [] }: Outcome,
  previous: readonly PreviousFinding[],
): ReadonlyMap<string, string> {
  const named = closed.map(({ id, reason }) => ({ one: findByTypedId(previous, id), reason }));
  return new Map(named.flatMap(({ one, reason }) => (one === null ? [] : [[one.id, reason]])));
}

/** Returns the findings whose known fixing commit came after the last review. */
async function fixedSince(
  previous: readonly PreviousFinding[],
  { commitsOf }: Pick<ReviewPorts, 'commitsOf'>,
): Promise<PreviousFinding[]> {
  const fixed = previous.filter((one) => one.state === 'fixed' && one.fixed?.sha != null);
  if (fixed.length === 0) return [];
  const commits = await commitsOf([...new Set(fixed.map(({ path }) => path))]);
  const since = new Set(commits.map(({ sha }) => sha));
  return fixed.filter((one) => since.has(one.fixed?.sha ?? ''));
}

/** Returns all findings after a run, the fixed ones with the commits that fixed them. */
async function withCommits(
  { known, fixed }: Reconciled,
  { checkout, run_id }: RunPlan,
  review: ReviewPorts,
): Promise<PreviousFinding[]> {
  const now = new Map(fixed.map((one) => [one.id, one]));
  return Promise.all(
    known.map(async (one) => {
      const just = now.get(one.id);
      if (just === undefined) return withCommitNow(one, review);
      if (just.fixed?.reason !== undefined) return one;
      const sha = await findFixingCommit(just, checkout.sha, review);
      return { ...one, fixed: { sha, run_id } };
    }),
  );
}

/** Returns a finding whose fixing commit is one of the pull request still; else it names none. */
async function withCommitNow(
  one: PreviousFinding,
  { commitNow }: Pick<ReviewPorts, 'commitNow'>,
): Promise<PreviousFinding> {
  const { fixed } = one;
  if (fixed?.sha == null || commitNow === undefined) return one;
  return { ...one, fixed: { ...fixed, sha: await commitNow(fixed.sha) } };
}

/** The most comments of one review, and the least severity that gets one. */
export function threadLimits({ review }: Config): {
  readonly budget: number;
  readonly threadsFrom: Severity;
} {
  return { budget: review?.maxComments ?? 30, threadsFrom: review?.threadsFrom ?? 'medium' };
}

/** Marks the new findings that get no comment on a line: the summary lists them. */
export function markFolded(
  findings: readonly PreviousFinding[],
  { fresh }: Reconciled,
  onLines: ReadonlySet<string>,
): PreviousFinding[] {
  const folded = new Set(fresh.map(({ id }) => id).filter((id) => !onLines.has(id)));
  return findings.map((one) => (folded.has(one.id) ? { ...one, folded: true } : one));
}

/** Returns ids on GitHub, without those that an earlier attempt at this run posted. */
function idsOfOthers({ reviews, comments, listed }: OwnPosts, { run_id }: RunPlan): ReadonlySet<string> {
  const own = new Set(reviews.filter(({ run }) => run === run_id).map(({ id }) => id));
  const all = [
    ...comments.map(({ fp, reviewId }) => ({ fp, reviewId })),
    ...[...listed].flatMap(([fp, { reviewId, fields }]) => (fields.run === run_id ? [] : [{ fp, reviewId }])),
  ];
  return new Set(all.flatMap(({ fp, reviewId }) => (own.has(reviewId ?? 0) ? [] : [fp])));
}

function renamed(previous: PreviousFinding, { renamed: names }: ReviewPorts, map: HunkMap): PreviousFinding {
  const path = names.get(previous.path) ?? map.resolve(previous.path) ?? previous.path;
  return { ...previous, path };
}

const asFixed = (previous: PreviousFinding): PreviousFinding => ({ ...previous, state: 'fixed' });

function evidenceOf(
  complete: boolean,
  previous: readonly PreviousFinding[],
  {
    asked,
    nothingNew,
    goneIsFixed,
  }: Pick<ReviewPorts, 'asked' | 'nothingNew'> & { readonly goneIsFixed: boolean },
): ReconcileFacts['evidence'] {
  // Lines that our own commit only changed, as by a rename, may be as wrong as before.
  if (goneIsFixed && (nothingNew || !complete)) return { kind: 'text', changed: nothingNew };
  if (!complete) return { kind: 'none' };
  return { kind: 'review', requested: asked ?? new Set(previous.map(({ id }) => id)) };
}
