import type { Finding, Severity } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { KnownFinding } from '../../contract/review-record.ts';
import { type HunkMap, hunkMapOf } from '../diff/hunk-map.ts';
import { parseHunks } from '../diff/parse-hunks.ts';
import { decideVerdict } from '../findings/decide-verdict.ts';
import { findFixingCommit } from '../findings/find-fixing-commit.ts';
import { heardFindings, reviewedPaths } from '../findings/heard-findings.ts';
import { keepReviewRecord, readReviewRecord, toldBefore } from '../findings/known-findings.ts';
import { type OwnPosts, readOwnPosts } from '../findings/own-posts.ts';
import { isTakenUpAgain, readDismissals } from '../findings/read-dismissals.ts';
import { type Reconciled, type ReconcileFacts, reconcile } from '../findings/reconcile.ts';
import { isOwnLogin, type RemarkThread, readRemarkThreads } from '../findings/remark-threads.ts';
import { settleFixed } from '../findings/settle-fixed.ts';
import { textSource } from '../findings/text-source.ts';
import type { Attempt } from '../posting/attempt.ts';
import type { PublishPorts, ReviewPorts } from '../posting/ports.ts';
import { keepSuggestions } from '../suggestions/kept-suggestions.ts';
import type { SplitSuggestions } from '../suggestions/suggestions.ts';
import { codeSpan, countOf } from '../text/markdown.ts';
import type { MovedFinding } from './make-review.ts';
import { type PostedReview, postReview, type ReviewPosting } from './post-review.ts';
import { renderTally } from './render-review.ts';
import { withdrawReviews } from './withdraw-reviews.ts';

/** Changes to be suggested on lines, what of them has to be a patch, and all of it as a patch. */
export interface Proposals extends SplitSuggestions {
  readonly whole: string;
}

/** What became of a run's findings and proposals. */
export interface PublishedReview {
  readonly posted: PostedReview | null;
  /** For the report to list. */
  readonly findings: readonly Finding[];
  readonly carried: number;
  /** Severities of all that is open; left out where this was no review. */
  readonly open?: readonly Severity[];
  /** `2 new, 1 carried, 3 fixed`; '' where nothing was told before. */
  readonly tally: string;
  readonly moved: readonly MovedFinding[];
  /** What GitHub did not take, in sentences. */
  readonly notes: readonly string[];
  readonly patch: string;
}

const defaultComments = 30;

const nothingToSee =
  'There is nothing to review here: no file is changed, or only such as `review.paths` and `review.ignore` leave out.';

/**
 * Tells what is new on the lines, in one review, settles the threads of what is fixed, and keeps what is known. A carried
 * finding is not told again, a dismissed one never. Where there is no pull request or nothing to say, nothing happens.
 */
export async function publishReview(
  outcome: Outcome,
  plan: RunPlan,
  proposals: Proposals,
  ports: PublishPorts,
  attempt: Attempt,
): Promise<PublishedReview> {
  const nothing = { posted: null, carried: 0, tally: '', moved: [], notes: [] };
  const unposted = { ...nothing, findings: outcome.findings, patch: proposals.whole };
  const finished = outcome.conclusion !== 'failure' && outcome.conclusion !== 'cancelled';
  if (plan.thread?.kind !== 'pull_request' || !finished) return unposted;
  const reviews = plan.profile === 'review';
  if (!reviews && outcome.findings.length + proposals.suggestions.length === 0) return unposted;
  const files = parseHunks(ports.pullRequestDiff ?? '');
  const map = hunkMapOf(files);
  const review = ports.review ?? fromDiffAlone(ports);
  const state = await attempt('The review', async () => readState(outcome, plan, map, review, ports));
  if (state === null) return unposted;
  const settings = ports.config.review ?? {};
  const isReviewed = reviewedPaths(settings);
  const { reconciled, posts } = state;
  const unseen = !files.some(({ path }) => isReviewed(path));
  const open = [...reconciled.fresh.map(({ finding }) => finding), ...reconciled.carried].map(
    (one) => one.severity,
  );
  const mayApprove = reviews && settings.approve === true;
  const { event, withdraw } = decideVerdict({
    open,
    complete: state.complete,
    unseen,
    moved: mayApprove && (await attempt('The verdict', async () => hasMoved(plan, ports))) !== false,
    fork: plan.checkout.fork,
    standing: standingVerdict(posts),
    settings: reviews ? settings : {},
  });
  const says = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: null }[event];
  const result = await attempt('The review', async () =>
    postReview(
      {
        ...{ plan, reconciled, map, event, suggestions: proposals.suggestions },
        checks: outcome.suggestion_checks ?? [],
        whole: state.complete,
        verdictIsNews: says !== null && says !== standingVerdict(posts),
        room: settings.maxComments ?? defaultComments,
      },
      posts,
      ports,
    ),
  );
  await keepSuggestions(plan, result?.posted == null ? [] : result.made.offered, review.store);
  await settleAll(state, plan, ports, attempt);
  if (withdraw !== null) {
    const what = withdraw === 'APPROVED' ? 'an approval' : 'a request for changes';
    await attempt(`The end of ${what}`, () => withdrawReviews(withdraw, plan, posts, ports));
  }
  const all = state.complete && result !== null && review.reviewed !== null;
  const unplaced = new Set(result?.made.unplaced.map(({ id }) => id));
  await keepReviewRecord(plan, review.store, {
    version: 1,
    reviewed: all ? review.reviewed : state.reviewed,
    findings: state.known.filter(({ id }) => !unplaced.has(id)),
  });
  const told = { ...summary(reconciled, result, proposals, review), findings: listed(reconciled, result) };
  return reviews
    ? { ...told, open, notes: [...told.notes, ...(unseen && outcome.turns === 0 ? [nothingToSee] : [])] }
    : told;
}

interface ReviewState {
  readonly reconciled: Reconciled;
  /** As kept, with the commits that fixed what is fixed. */
  readonly known: readonly KnownFinding[];
  readonly reviewed: ReviewPorts['reviewed'];
  readonly posts: OwnPosts;
  readonly threads: ReadonlyMap<number, RemarkThread> | null;
  readonly complete: boolean;
}

/** Reads what was told before and decides what this run's findings are; kept before anything is posted. */
async function readState(
  outcome: Outcome,
  plan: RunPlan,
  map: HunkMap,
  review: ReviewPorts,
  ports: PublishPorts,
): Promise<ReviewState> {
  const { octokit, ownLogin, config } = ports;
  const record = await readReviewRecord(plan, review.store);
  const posts = await readOwnPosts(plan, octokit, ownLogin);
  const findings = heardFindings(outcome.findings, config.review ?? {}, map);
  const before = toldBefore(record, posts).map((known) => renamed(known, review, map));
  const earlier = before.filter((known) => known.run_id !== plan.run_id);
  const remembered = new Map(earlier.map((known) => [known.id, known]));
  const remarks = posts.remarks.filter(({ fp }) => remembered.has(fp));
  const threads = remarks.length === 0 ? null : await readRemarkThreads(plan, octokit);
  const open = remarks.filter(({ fp }) => remembered.get(fp)?.state === 'open');
  const dismissed = await readDismissals(open, threads, plan, octokit, ownLogin);
  const settled = new Set(
    remarks.flatMap(({ fp, id }) => {
      const thread = threads?.get(id);
      return thread?.resolved && isOwnLogin(thread.resolvedBy, ownLogin) ? [fp] : [];
    }),
  );
  // Without a record, a thread that we resolved is all that tells of what was fixed.
  const again = new Set(
    remarks.flatMap((remark) => (isTakenUpAgain(remark, threads?.get(remark.id)) ? [remark.fp] : [])),
  );
  const known = before.map((one) => {
    if (record === null) return settled.has(one.id) ? asFixed(one) : one;
    const open = { ...one, state: 'open' as const, dismissed_by: null };
    return one.state === 'dismissed' && again.has(one.id) ? open : one;
  });
  const paths = [...findings, ...known].map(({ path }) => path);
  const source = await textSource(paths, plan.checkout.sha, map, review);
  // Checks alone say nothing of what a model found, and where nothing is new a model has nothing to say.
  const looked = outcome.turns > 0 || review.nothingNew;
  // A review that stated nothing was not silent about what it was asked: it may have said it in words.
  const ended = outcome.conclusion === 'success' && outcome.unreported === undefined;
  const complete = plan.profile === 'review' && ended && looked;
  const checks = new Set(outcome.checks_whole ?? []);
  const told = toldByOthers(posts, plan);
  const facts = { runId: plan.run_id, findings, known, source, told, dismissed, checks };
  const reconciled = reconcile({ ...facts, evidence: evidenceOf(complete, known, review) });
  const fixed = new Map(
    await Promise.all(
      reconciled.fixed.map(async ({ id, ...one }) => {
        const sha = (await findFixingCommit({ id, ...one }, review)) ?? plan.checkout.sha;
        return [id, { sha, run_id: plan.run_id }] as const;
      }),
    ),
  );
  const after = reconciled.known.map((one) => {
    const commit = fixed.get(one.id);
    return commit === undefined ? one : { ...one, fixed: commit };
  });
  const reviewed = record?.reviewed ?? null;
  await keepReviewRecord(plan, review.store, { version: 1, reviewed, findings: after });
  return { reconciled, known: after, reviewed, posts, threads, complete };
}

/** Whether the pull request was pushed to, or pointed at another base, since the run was planned. */
async function hasMoved(
  { repository, thread, checkout }: RunPlan,
  { octokit }: PublishPorts,
): Promise<boolean> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: thread?.number ?? 0 });
  return data.head.sha !== checkout.sha || data.base.ref !== checkout.base_ref;
}

/** What stands on GitHub already, but for what an earlier attempt at this run posted. */
function toldByOthers({ reviews, remarks, listed }: OwnPosts, { run_id }: RunPlan): ReadonlySet<string> {
  const own = new Set(reviews.filter(({ run }) => run === run_id).map(({ id }) => id));
  const all = [
    ...remarks.map(({ fp, reviewId }) => ({ fp, reviewId })),
    ...[...listed].map(([fp, { reviewId }]) => ({ fp, reviewId })),
  ];
  return new Set(all.flatMap(({ fp, reviewId }) => (own.has(reviewId ?? 0) ? [] : [fp])));
}

function renamed(known: KnownFinding, { renamed: names }: ReviewPorts, map: HunkMap): KnownFinding {
  const path = names.get(known.path) ?? map.resolve(known.path) ?? known.path;
  return { ...known, path };
}

const asFixed = (known: KnownFinding): KnownFinding => ({ ...known, state: 'fixed' });

function evidenceOf(
  complete: boolean,
  known: readonly KnownFinding[],
  { asked, nothingNew }: ReviewPorts,
): ReconcileFacts['evidence'] {
  if (!complete) return { kind: 'none' };
  if (nothingNew) return { kind: 'text' };
  return { kind: 'review', asked: asked ?? new Set(known.map(({ id }) => id)) };
}

function fromDiffAlone({ store }: PublishPorts): ReviewPorts {
  return {
    store,
    reviewed: null,
    renamed: new Map(),
    asked: null,
    nothingNew: false,
    readText: async () => null,
    commitsOf: async () => [],
  };
}

/** What our newest review that is more than a comment says; one that was dismissed says nothing more. */
function standingVerdict({ reviews }: OwnPosts): 'APPROVED' | 'CHANGES_REQUESTED' | null {
  const last = reviews.findLast(({ state }) => state === 'APPROVED' || state === 'CHANGES_REQUESTED');
  return last?.state === 'APPROVED' || last?.state === 'CHANGES_REQUESTED' ? last.state : null;
}

/** Also what an earlier attempt at this run saw fixed and did not come to settle. */
async function settleAll(
  { known, posts, threads }: ReviewState,
  plan: RunPlan,
  ports: PublishPorts,
  attempt: Attempt,
): Promise<void> {
  const fixed = known.filter((one) => one.state === 'fixed' && one.fixed?.run_id === plan.run_id);
  for (const finding of fixed) {
    const remark = posts.remarks.find(({ fp }) => fp === finding.id);
    if (remark === undefined) continue;
    const thread = threads?.get(remark.id) ?? null;
    await attempt('The end of a thread', async () => settleFixed(finding, remark, thread, plan, ports));
  }
}

function listed({ fresh }: Reconciled, result: ReviewPosting | null): readonly Finding[] {
  const left = result === null ? fresh : result.made.unplaced;
  return left.map(({ finding }) => finding);
}

/** What people have to know of a change that is too large for one look. */
function unshownNote({ unshown = [], reviewed }: ReviewPorts): string[] {
  if (unshown.length === 0) return [];
  const named = unshown.slice(0, 10).map((path) => codeSpan(path));
  const more = unshown.length > named.length ? [`${unshown.length - named.length} more`] : [];
  const next = reviewed?.unseen === undefined ? '' : ' The next review begins with those that fit.';
  return [
    `The change is too large to be shown to the reviewer whole, who could only read on in ${countOf(unshown.length, 'file')}: ${[...named, ...more].join(', ')}.${next}`,
  ];
}

function summary(
  reconciled: Reconciled,
  result: ReviewPosting | null,
  proposals: Proposals,
  review: ReviewPorts,
) {
  const suggested = result?.suggested === true;
  return {
    posted: result?.posted ?? null,
    carried: reconciled.carried.length,
    tally: renderTally(reconciled),
    moved: result?.made.moved ?? [],
    notes: [...(result?.note == null ? [] : [result.note]), ...unshownNote(review)],
    patch: suggested ? proposals.leftover : proposals.whole,
  };
}
