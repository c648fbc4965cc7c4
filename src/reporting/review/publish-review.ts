import type { Finding, Severity } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { isReview } from '../../contract/work-of.ts';
import { pullOf } from '../../github/api-target.ts';
import { parseHunks } from '../diff/git-patch.ts';
import { hunkMapOf } from '../diff/hunk-map.ts';
import { decideVerdict, type VerdictDecision } from '../findings/decide-verdict.ts';
import { type OwnPosts, readOwnPosts } from '../findings/own-posts.ts';
import { saveReviewRecord } from '../findings/previous-findings.ts';
import { reviewedPaths } from '../findings/reportable-findings.ts';
import { resolveFixed } from '../findings/review-threads.ts';
import type { Attempt } from '../posting/api-failure.ts';
import type { PublishPorts, ReviewPorts } from '../posting/ports.ts';
import { type OfferedSuggestion, saveSuggestions } from '../suggestions/stored-suggestions.ts';
import { foldFindings } from './fold-findings.ts';
import { foldedSuggestions, patchOfFindings } from './patch-of-findings.ts';
import { postReview, type ReviewPosting } from './post-review.ts';
import {
  type Proposals,
  type PublishedReview,
  publishedReview,
  type ReviewedScope,
  unpostedSuggestions,
} from './published-review.ts';
import { markFolded, type ReviewState, readReviewState, threadLimits } from './read-review-state.ts';
import { removeRepeated } from './remove-repeated.ts';

const nothingToSee =
  'There is nothing to review here: no file is changed, or only such as `review.paths` and `review.ignore` leave out.';

/** The input of a review. */
export interface ReviewRun {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly proposals: Proposals;
  readonly ports: PublishPorts;
  readonly attempt: Attempt;
  /** Finds the address of the summary before it is written. Default: it is not known. */
  readonly summaryUrl?: () => Promise<string | null>;
}

/**
 * Posts new findings in one review, resolves threads of fixed ones, and stores the record. Carried
 * findings are not repeated, dismissed ones never. Does nothing without a pull request or content.
 */
export async function publishReview(run: ReviewRun): Promise<PublishedReview> {
  const { outcome, plan, proposals, ports, attempt } = run;
  const finished = outcome.conclusion !== 'failure' && outcome.conclusion !== 'cancelled';
  if (plan.thread?.kind !== 'pull_request' || !finished) return unposted(run);
  if (!isReview(plan) && outcome.findings.length + proposals.suggestions.length === 0) return unposted(run);
  const files = parseHunks(ports.pullRequestDiff ?? '');
  const map = hunkMapOf(files);
  const review = ports.review ?? fromDiffAlone(ports);
  const state = await attempt('The review', async () =>
    readReviewState({ outcome, plan, map, review, ports }),
  );
  if (state === null) return unposted(run);
  // A run that reviewed nothing makes no statement on earlier findings.
  const reconciled = isReview(plan) ? state.reconciled : { ...state.reconciled, carried: [] };
  const isReviewed = reviewedPaths(ports.config.review ?? {});
  const unseen = !files.some(({ path }) => isReviewed(path));
  const open = [
    ...reconciled.fresh.map(({ finding }) => finding.severity),
    ...reconciled.carried.map(({ severity }) => severity),
  ];
  const { event, withdraw } = await verdictOf(run, state, { open, unseen });
  const verdict = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: null }[event];
  const result = await attempt('The review', async () =>
    postReview(
      {
        ...{ plan, reconciled, map, event, suggestions: proposals.suggestions },
        checks: outcome.suggestion_checks ?? [],
        complete: state.complete,
        verdictIsNews: verdict !== null && verdict !== currentVerdict(state.posts),
        summaryUrl: (await run.summaryUrl?.()) ?? null,
        ...threadLimits(ports.config),
      },
      state.posts,
      ports,
    ),
  );
  const known = await finishReview({ run, state, review, result, withdraw });
  const after = await postsAfter(run, state, result);
  const patch = await suggestedPatch(unpostedSuggestions(reconciled, result), outcome, plan, review);
  const published = publishedReview({ reconciled, result, proposals, review, patch });
  const told = foldFindings(known, {
    runId: plan.run_id,
    found: new Map(reconciled.fresh.map(({ id, finding }) => [id, finding])),
    threads: new Map(after.comments.map(({ fp, id }) => [fp, id])),
  });
  if (!isReview(plan)) return { ...published, told };
  const scope = scopeOf(run, state, files);
  const notes = unseen && outcome.turns === 0 ? [...published.notes, nothingToSee] : published.notes;
  return { ...published, told, scope, notes };
}

function scopeOf(
  { plan, ports }: ReviewRun,
  { complete, reviewed }: ReviewState,
  changed: readonly { readonly path: string }[],
): ReviewedScope {
  const isReviewed = reviewedPaths(ports.config.review ?? {});
  const files = changed.map(({ path }) => path);
  const before = reviewed?.head ?? null;
  const ignored = files.filter((path) => !isReviewed(path));
  return { since: before, head: complete ? plan.checkout.sha : before, ignored, files };
}

/** Returns our posts, with those of this run. Of comments that another run repeated, one stays. */
async function postsAfter(
  { plan, ports, attempt }: ReviewRun,
  { posts }: ReviewState,
  result: ReviewPosting | null,
): Promise<OwnPosts> {
  const posted = result?.posted ?? null;
  if (posted === null || posted.comments === 0) return posts;
  const read = async () => readOwnPosts(plan, ports.octokit, ports.ownLogin);
  const after = await attempt('The links to the comments', read);
  if (after === null) return posts;
  await attempt('The end of a repeated comment', () => removeRepeated(posted, after, plan, ports));
  return after;
}

async function verdictOf(
  { plan, ports, attempt }: ReviewRun,
  { complete, posts }: ReviewState,
  { open, unseen }: { readonly open: readonly Severity[]; readonly unseen: boolean },
): Promise<VerdictDecision> {
  const settings = isReview(plan) ? (ports.config.review ?? {}) : {};
  const mayApprove = settings.approve === true;
  const moved = mayApprove && (await attempt('The verdict', async () => hasMoved(plan, ports))) !== false;
  if (ports.textOnly !== undefined) return { event: 'COMMENT', withdraw: null };
  return decideVerdict({
    ...{ complete, unseen, moved, settings, fork: plan.checkout.fork },
    open,
    current: currentVerdict(posts),
  });
}

/** Returns the suggestions that are on lines, and those that only the summary lists. */
async function allOffered(
  { outcome, plan }: ReviewRun,
  { reconciled }: ReviewState,
  { readText }: ReviewPorts,
  result: ReviewPosting | null,
): Promise<readonly OfferedSuggestion[]> {
  if (result === null) return [];
  const onLines = new Set(result.made.onLines);
  const folded = reconciled.fresh.filter(({ id }) => !onLines.has(id));
  const checks = outcome.suggestion_checks ?? [];
  const listed = await foldedSuggestions(folded, checks, (path) => readText(path, plan.checkout.sha));
  return [...(result.posted === null ? [] : result.made.offered), ...listed];
}

/** Resolves threads, withdraws a verdict, and stores and returns what is known after the review. */
async function finishReview({
  run,
  state,
  review,
  result,
  withdraw,
}: {
  readonly run: ReviewRun;
  readonly state: ReviewState;
  readonly review: ReviewPorts;
  readonly result: ReviewPosting | null;
  readonly withdraw: VerdictDecision['withdraw'];
}): Promise<readonly PreviousFinding[]> {
  const { plan, ports, attempt } = run;
  await saveSuggestions(plan, await allOffered(run, state, review, result), review.store);
  await resolveAllFixed(run, state);
  if (withdraw !== null) {
    const what = withdraw === 'APPROVED' ? 'an approval' : 'a request for changes';
    await attempt(`The end of ${what}`, () => withdrawReviews(withdraw, plan, state.posts, ports));
  }
  const all = state.complete && result !== null && review.reviewed !== null;
  const findings = markFolded(state.findings, state.reconciled, new Set(result?.made.onLines));
  await saveReviewRecord(plan, review.store, {
    version: 1,
    reviewed: all ? review.reviewed : state.reviewed,
    located: plan.checkout.sha,
    findings,
  });
  return findings;
}

/**
 * Returns the result of a review that was not posted: the report lists its findings, with their
 * suggestions as a patch.
 */
export async function unposted({
  outcome,
  plan,
  proposals,
  ports: { review },
}: Omit<ReviewRun, 'attempt'>): Promise<PublishedReview> {
  const { findings } = outcome;
  const patch = review === undefined ? '' : await suggestedPatch(findings, outcome, plan, review);
  const nothing = { posted: null, carried: 0, tally: '', notes: [] };
  return { ...nothing, findings, patch: proposals.whole + patch };
}

function suggestedPatch(
  findings: readonly Finding[],
  { suggestion_checks: checks = [] }: Outcome,
  { checkout }: RunPlan,
  { readText }: ReviewPorts,
): Promise<string> {
  return patchOfFindings(findings, checks, (path) => readText(path, checkout.sha));
}

/** True if the pull request's head or base changed since the run was planned. */
async function hasMoved(
  { repository, thread, checkout }: RunPlan,
  { octokit }: PublishPorts,
): Promise<boolean> {
  const { owner, name: repo } = repository;
  const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: thread?.number ?? 0 });
  return data.head.sha !== checkout.sha || data.base.ref !== checkout.base_ref;
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

/**
 * Returns the verdict of our newest review that is more than a comment. Dismissed reviews do not
 * count.
 */
function currentVerdict({ reviews }: OwnPosts): 'APPROVED' | 'CHANGES_REQUESTED' | null {
  const last = reviews.findLast(({ state }) => state === 'APPROVED' || state === 'CHANGES_REQUESTED');
  return last?.state === 'APPROVED' || last?.state === 'CHANGES_REQUESTED' ? last.state : null;
}

/** Includes findings that an earlier attempt at this run saw fixed but did not resolve. */
async function resolveAllFixed(
  { plan, ports, attempt }: ReviewRun,
  { findings, posts, threads }: ReviewState,
): Promise<void> {
  for (const { id, state, fixed } of findings) {
    const comment = posts.comments.find(({ fp }) => fp === id);
    if (comment === undefined || state !== 'fixed' || fixed?.run_id !== plan.run_id) continue;
    const thread = threads?.get(comment.id) ?? null;
    await attempt('The end of a thread', async () => resolveFixed({ fixed, comment, thread }, plan, ports));
  }
}

const reasons = {
  APPROVED: 'There are open findings',
  CHANGES_REQUESTED: 'Nothing that asks for changes is open',
} as const;

/**
 * Dismisses our own approvals or requests for changes that lost their reason. Others' reviews are
 * not touched.
 */
export async function withdrawReviews(
  withdrawn: 'APPROVED' | 'CHANGES_REQUESTED',
  plan: RunPlan,
  { reviews }: OwnPosts,
  { octokit }: Pick<PublishPorts, 'octokit'>,
): Promise<void> {
  for (const { id, state } of reviews) {
    if (state !== withdrawn) continue;
    await octokit.rest.pulls.dismissReview({
      ...pullOf(plan),
      review_id: id,
      message: `${reasons[withdrawn]} at ${plan.checkout.sha.slice(0, 12)}.`,
    });
  }
}
