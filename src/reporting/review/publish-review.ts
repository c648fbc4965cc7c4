import type { Finding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { noUsage } from '../../contract/usage.ts';
import { isReview } from '../../contract/work-of.ts';
import { pullOf } from '../../github/api-target.ts';
import { parseHunks } from '../diff/git-patch.ts';
import { hunkMapOf } from '../diff/hunk-map.ts';
import { decideVerdict, type VerdictDecision } from '../findings/decide-verdict.ts';
import type { OwnPosts } from '../findings/own-posts.ts';
import { saveReviewRecord } from '../findings/previous-findings.ts';
import type { Reconciled } from '../findings/reconcile.ts';
import { reviewedPaths } from '../findings/reportable-findings.ts';
import { resolveFixed } from '../findings/review-threads.ts';
import { type Attempt, createAttempt } from '../posting/api-failure.ts';
import type { PublishPorts, ReviewPorts } from '../posting/ports.ts';
import { saveSuggestions } from '../suggestions/stored-suggestions.ts';
import { reactDone, tryRemoveEyes } from '../thread/reactions.ts';
import { patchOfFindings } from './patch-of-findings.ts';
import { postReview, type ReviewPosting } from './post-review.ts';
import {
  type Proposals,
  type PublishedReview,
  publishedReview,
  unpostedSuggestions,
} from './published-review.ts';
import { type ReviewState, readReviewState } from './read-review-state.ts';

const defaultComments = 30;

const nothingToSee =
  'There is nothing to review here: no file is changed, or only such as `review.paths` and `review.ignore` leave out.';

/** The input of a review. */
export interface ReviewRun {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly proposals: Proposals;
  readonly ports: PublishPorts;
  readonly attempt: Attempt;
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
  const open = openFindings(reconciled);
  const { event, withdraw } = await verdictOf(run, state, { open, unseen });
  const verdict = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: null }[event];
  const result = await attempt('The review', async () =>
    postReview(
      {
        ...{ plan, reconciled, map, event, suggestions: proposals.suggestions },
        checks: outcome.suggestion_checks ?? [],
        complete: state.complete,
        verdictIsNews: verdict !== null && verdict !== currentVerdict(state.posts),
        budget: ports.config.review?.maxComments ?? defaultComments,
      },
      state.posts,
      ports,
    ),
  );
  await finishReview({ run, state, review, result, withdraw });
  const patch = await suggestedPatch(unpostedSuggestions(reconciled, result), outcome, plan, review);
  const published = publishedReview({ reconciled, result, proposals, review, patch });
  if (!isReview(plan)) return published;
  return {
    ...published,
    open,
    notes: [...published.notes, ...(unseen && outcome.turns === 0 ? [nothingToSee] : [])],
  };
}

async function verdictOf(
  { plan, ports, attempt }: ReviewRun,
  { complete, posts }: ReviewState,
  { open, unseen }: { readonly open: readonly Finding[]; readonly unseen: boolean },
): Promise<VerdictDecision> {
  const settings = isReview(plan) ? (ports.config.review ?? {}) : {};
  const mayApprove = settings.approve === true;
  const moved = mayApprove && (await attempt('The verdict', async () => hasMoved(plan, ports))) !== false;
  if (ports.textOnly !== undefined) return { event: 'COMMENT', withdraw: null };
  return decideVerdict({
    ...{ complete, unseen, moved, settings, fork: plan.checkout.fork },
    open: open.map(({ severity }) => severity),
    current: currentVerdict(posts),
  });
}

/** Resolves threads, withdraws a verdict and stores what is known after the review. */
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
}): Promise<void> {
  const { plan, ports, attempt } = run;
  await saveSuggestions(plan, result?.posted == null ? [] : result.made.offered, review.store);
  await resolveAllFixed(run, state);
  if (withdraw !== null) {
    const what = withdraw === 'APPROVED' ? 'an approval' : 'a request for changes';
    await attempt(`The end of ${what}`, () => withdrawReviews(withdraw, plan, state.posts, ports));
  }
  const all = state.complete && result !== null && review.reviewed !== null;
  const unplaced = new Set(result?.made.unplaced.map(({ id }) => id));
  await saveReviewRecord(plan, review.store, {
    version: 1,
    reviewed: all ? review.reviewed : state.reviewed,
    findings: state.findings.filter(({ id }) => !unplaced.has(id)),
  });
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
  const nothing = { posted: null, carried: 0, tally: '', moved: [], notes: [] };
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

/** Returns the open findings. The text of earlier ones is in their thread. */
function openFindings({ fresh, carried }: Reconciled): Finding[] {
  const published = carried.map(({ path, side, line, severity, category, title }): Finding => {
    return {
      path,
      side,
      line,
      severity,
      category,
      title,
      body: `${title}\n\nReported before, in its own thread.`,
    };
  });
  return [...fresh.map(({ finding }) => finding), ...published];
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

/** A review that looked at nothing, with the findings that are open after it. */
interface EmptyReview {
  readonly outcome: Outcome;
  readonly open: readonly Finding[] | undefined;
}

/**
 * Finishes a review without new changes: marks findings fixed by reverted lines, stores the record
 * and removes 👀. Posts no comment; a 👍 acknowledges the request.
 */
export async function publishNothingNew(
  plan: RunPlan,
  ports: Omit<PublishPorts, 'progress' | 'session'>,
): Promise<EmptyReview> {
  const all: PublishPorts = { ...ports, progress: null, session: null };
  const nothing = { suggestions: [], leftover: '', whole: '' };
  const outcome = emptyOutcome(plan);
  // Failures are logged only, since there is no report.
  const { open } = await publishReview({
    ...{ outcome, plan, proposals: nothing, ports: all },
    attempt: createAttempt(plan, { log: ports.log }, []),
  });
  await reactDone(plan, ports);
  await tryRemoveEyes(plan, ports);
  ports.log.info({ run: plan.run_id }, 'nothing new to review');
  return { outcome, open };
}

/** A run without a single turn. */
function emptyOutcome(plan: RunPlan): Outcome {
  return {
    version: 1,
    run_id: plan.run_id,
    session_id: plan.session_id,
    conclusion: 'success',
    answer: '',
    stop: null,
    model: plan.model ?? '',
    profile: plan.profile,
    preset: plan.preset,
    turns: 0,
    tool_calls: 0,
    usage: noUsage,
    cost_usd: null,
    duration_ms: 0,
    todos: [],
    findings: [],
    refusals: [],
    approvals: [],
    handoffs: [],
    question: null,
    diagnostics: [],
    changes: { base_sha: plan.checkout.sha, patch: '', files: [] },
  };
}
