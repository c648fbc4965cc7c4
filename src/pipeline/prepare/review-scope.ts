import { omittedFiles } from '../../agent/prompt/review-task.ts';
import { RunStopped } from '../../contract/errors.ts';
import { severityRank } from '../../contract/findings.ts';
import { isAboutTests } from '../../contract/is-about-tests.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { NewLines, PreviousFinding, Reviewed } from '../../contract/review-record.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { parseHunks } from '../../reporting/diff/git-patch.ts';
import { createHunkMap } from '../../reporting/diff/hunk-map.ts';
import { describeFindings, type WantedFindings } from '../../reporting/findings/describe-findings.ts';
import { lineStatusOf, textSource } from '../../reporting/findings/line-context.ts';
import { mayBeTestedNow } from '../../reporting/findings/missing-tests.ts';
import { type OwnPosts, readAllOwnPosts, readOwnPosts } from '../../reporting/findings/own-posts.ts';
import { previousFindings, readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import { readDismissals } from '../../reporting/findings/read-dismissals.ts';
import { reviewedPaths } from '../../reporting/findings/reportable-findings.ts';
import { renderReviewRequest } from '../../reporting/findings/review-notes.ts';
import { readReviewThreads } from '../../reporting/findings/review-threads.ts';
import { unreviewedDiff } from '../../reporting/findings/unreviewed-diff.ts';
import type { ReviewPorts } from '../../reporting/posting/ports.ts';
import { storedSummary } from '../../reporting/summary/summary-comment.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import { diffBetween } from '../../workspace/git/diff-between.ts';
import type { GitRemote } from '../../workspace/git/git-environment.ts';
import { fetchIntoMirror } from '../../workspace/git/mirror.ts';
import {
  commitNow,
  commitsOn,
  hasCommit,
  headlinesBetween,
  mergeBaseOf,
  readTextAt,
  renamedBetween,
} from '../../workspace/git/review-history.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import { isChecksOnly } from '../context/planned-run.ts';
import type { StoredScope } from '../context/stored-run.ts';

/** The diff that a review looks at, and its task. */
export interface ReviewScope {
  readonly request: string;
  readonly diff: string;
  /** The new lines of the diff of a later review. Default: null, for any other run. */
  readonly newLines?: NewLines;
  readonly ports: ReviewPorts;
}

/** The checkout of a review, and the reviews before it. */
interface ScopeSources {
  readonly checkout: Checkout;
  readonly remote: GitRemote;
  /** Null if stored state could be forged. */
  readonly store: StateStore | null;
  /** The scope of an earlier attempt at this run; null if that did not come to its end. */
  readonly stored: StoredScope | null;
}

/** Maximum earlier findings in a request, the worst first. Others stay open. */
const mostListed = 100;

/**
 * Decides what a run on a pull request reviews: all changes, or only those since the last review.
 * Adds the findings reported before. `diff` is the diff of the whole pull request. A run that is
 * only published again keeps its scope.
 */
export async function reviewScope(
  plan: RunPlan,
  diff: string,
  sources: ScopeSources,
  context: BrokerContext,
): Promise<ReviewScope> {
  const { config } = context;
  const { git } = sources.checkout;
  const { sha, base_sha } = plan.checkout;
  const base = await mergeBaseOf(git, base_sha ?? sha, sha);
  const lookup = {
    store: sources.store,
    readText: (path: string, at: string) => readTextAt(git, at, path),
    commitsOf: async (paths: readonly string[]) =>
      commitsOn(git, await lastSeen(plan, base, sources), sha, paths),
    commitNow: (one: string) => commitNow(git, { base, head: sha }, one),
  };
  const reviewed = { head: sha, base };
  if (sources.stored !== null) return { request: plan.prompt, diff, ports: { ...lookup, ...sources.stored } };
  if (plan.profile !== 'review') {
    const quiet = { asked: new Set<string>(), nothingNew: false, renamed: new Map<string, string>() };
    const request = await requestWithFindings(plan, sources.store, context);
    return { request, diff, ports: { ...lookup, ...quiet, reviewed } };
  }
  const settings = config.review ?? {};
  // Checks decide nothing about a model's findings, and their code does not count as reviewed.
  const checksOnly = isChecksOnly(plan, config);
  const { last, before, renamed, ...earlier } = await readEarlier(
    plan,
    diff,
    { ...sources, lookup },
    context,
  );
  const isOutside = outsideTest(before, diff);
  const previous = earlier.previous.filter((one) => !isOutside(one));
  const changed = earlier.changed.filter(({ one }) => !isOutside(one));
  const isNew = !checksOnly && plan.review_scope === 'new' && before !== null;
  const scope = unreviewedDiff({
    now: diff,
    before: isNew ? before : '',
    unseen: last?.unseen ?? [],
    renamed,
    isReviewed: reviewedPaths(settings),
    alsoShow: (path, line) =>
      changed.some(({ one, status }) => one.path === path && 'line' in status && status.line === line),
  });
  const moved = new Set(changed.map(({ one }) => one.path));
  const ordered = firstOf(scope.diff, moved, new Set(last?.unseen));
  const newLines = isNew ? scope.newLines : null;
  const { unshown, shown, hidden } = sortByVisibility(ordered, diff, newLines);
  // A finding that the reviewer cannot see stays open.
  const asked = worst(changed.map(({ one }) => one).filter(({ path }) => !hidden.has(path)));
  const request = renderReviewRequest(plan.prompt, {
    settings,
    paths: [...shown],
    ...(await earlierReview(isNew ? last : null, plan, sources.store)),
    omitted: isNew ? scope.reviewed : [],
    commits: await headlinesBetween(git, base, sha),
    suppressed: worst(previous.filter((one) => one.state !== 'fixed' && !asked.includes(one))),
    requested: asked,
  });
  const unseen = unshown.flatMap(({ path, alone }) => (alone ? [path] : []));
  const outcome = checksOnly
    ? { asked: new Set<string>(), nothingNew: false, unshown: [], reviewed: null }
    : {
        asked: new Set(asked.map(({ id }) => id)),
        nothingNew: scope.nothingNew,
        unshown: unshown.map(({ path }) => path),
        reviewed: { ...reviewed, ...(unseen.length === 0 ? {} : { unseen }) },
      };
  const marks = newLines === null ? {} : { newLines };
  return { request, diff: ordered, ...marks, ports: { ...lookup, renamed, isOutside, ...outcome } };
}

/**
 * Returns the test for findings of files that the last review saw changed, and that the pull
 * request changes no longer. `before` is the diff of that review; null for none.
 */
function outsideTest(before: string | null, now: string): (finding: PreviousFinding) => boolean {
  const pathsOf = (diff: string) => new Set(parseHunks(diff).map(({ path }) => path));
  const [then, changed] = [pathsOf(before ?? ''), pathsOf(now)];
  return ({ path, outside }) => !changed.has(path) && (outside === true || then.has(path));
}

/** Returns the commit reviewed last and what the summary says; nulls for a whole review. */
async function earlierReview(
  last: Reviewed | null,
  { thread }: RunPlan,
  store: StateStore | null,
): Promise<Pick<Parameters<typeof renderReviewRequest>[1], 'since' | 'overview' | 'parts'>> {
  if (last === null) return { since: null, overview: null };
  const summary = thread === null || store === null ? null : await storedSummary(thread.number, store);
  const { overview = null, groups = [] } = summary?.walkthrough ?? {};
  return { since: last.head, overview, parts: groups.map(({ title }) => title) };
}

/**
 * Adds findings to a request: all to a fix, else the one in whose thread it was made, else the open
 * ones if the run sees the diff. A resumed run knows them.
 */
async function requestWithFindings(
  plan: RunPlan,
  store: StateStore | null,
  { github, ownLogin }: BrokerContext,
): Promise<string> {
  const which = wantedFindings(plan);
  if (which === null) return plan.prompt;
  const octokit = github.writer;
  const record = await readReviewRecord(plan, store);
  // Most pull requests have no open finding, and reading our posts takes requests.
  if (which === 'open' && record?.findings.some(({ state }) => state === 'open') !== true) return plan.prompt;
  const posts = await readOwnPosts(plan, octokit, ownLogin);
  const findings = previousFindings(record, posts);
  const open = new Set(findings.flatMap(({ id, state }) => (state === 'open' ? [id] : [])));
  const comments = posts.comments.filter(({ fp }) => open.has(fp));
  const threads = comments.length === 0 ? null : await readReviewThreads(plan, octokit);
  const dismissed = await readDismissals(comments, threads, plan, { octokit, ownLogin });
  const claims = storedVerb(plan.verb)?.push === 'commit';
  const described = describeFindings({ findings, posts, dismissed }, { which, claims });
  return described === ''
    ? plan.prompt
    : `${plan.prompt}

${described}`;
}

function wantedFindings({ resume, verb, finding, own_commit }: RunPlan): WantedFindings | null {
  if (resume !== null || own_commit !== undefined) return null;
  if (finding != null) return { id: finding.id };
  if (verb === 'fix') return 'all';
  const { diffBytes = 0, result = null } = storedVerb(verb) ?? {};
  return diffBytes > 0 && result === null ? 'open' : null;
}

/**
 * Returns where the commits since the last review begin: at the reviewed head, or where a rewritten
 * history left it. The merge base with the base branch if that head is unknown or deleted.
 */
async function lastSeen(
  plan: RunPlan,
  base: string,
  { checkout: { git }, store }: ScopeSources,
): Promise<string> {
  const reviewed = (await readReviewRecord(plan, store))?.reviewed?.head ?? null;
  const isKnown = reviewed !== null && (await hasCommit(git, reviewed));
  return isKnown ? mergeBaseOf(git, reviewed, plan.checkout.sha) : base;
}

/**
 * Reads the findings of earlier reviews by their current paths. `changed` are the open ones whose
 * lines changed since, and those about tests that may exist now.
 */
async function readEarlier(
  plan: RunPlan,
  diff: string,
  sources: ScopeSources & { readonly lookup: Parameters<typeof textSource>[3] },
  context: BrokerContext,
) {
  const {
    lookup,
    checkout: { git },
  } = sources;
  const { sha } = plan.checkout;
  const { last, findings } = await earlierReviews(plan, sources.store, context);
  const before = last === null ? null : await diffThen(last, sources, context);
  const renamed = before === null || last === null ? new Map() : await renamedBetween(git, last.head, sha);
  const map = createHunkMap(diff);
  const previous = findings.map((one) => ({
    ...one,
    path: renamed.get(one.path) ?? map.resolve(one.path) ?? one.path,
  }));
  const source = await textSource(
    previous.map(({ path }) => path),
    sha,
    map,
    lookup,
  );
  const mayBeTested = before === null ? () => false : mayBeTestedNow(before, diff);
  const changed = previous.flatMap((one) => {
    const status = one.state === 'open' && one.check === null ? lineStatusOf(one, source) : null;
    const isTested = status?.kind === 'untouched' && isAboutTests(one) && mayBeTested(one.path);
    return status?.kind === 'gone' || status?.kind === 'touched' || isTested ? [{ one, status }] : [];
  });
  return { last, before, renamed, previous, changed };
}

/** Sorts the files of an ordered diff: shown, not shown for their size, and hidden in any way. */
function sortByVisibility(ordered: string, diff: string, newLines: NewLines | null) {
  const unshown = omittedFiles(ordered, newLines);
  const files = parseHunks(ordered);
  // A file without a hunk is only named: it is binary or very large.
  const named = files.filter(({ hunks }) => hunks.length === 0);
  const hidden = new Set([...unshown, ...named].map(({ path }) => path));
  const shown = new Set(files.map(({ path }) => path));
  // Omitted files were never shown either, and have nothing new.
  for (const { path, alone } of omittedFiles(diff)) if (!alone && !shown.has(path)) hidden.add(path);
  return { unshown, shown, hidden };
}

/** Sorts a diff: files of findings that may be fixed first, then files that did not fit before. */
function firstOf(diff: string, asked: ReadonlySet<string>, unseen: ReadonlySet<string>): string {
  const rank = (path: string) => {
    if (asked.has(path)) return 0;
    return unseen.has(path) ? 1 : 2;
  };
  return parseHunks(diff)
    .toSorted((a, b) => rank(a.path) - rank(b.path))
    .map(({ text }) => text)
    .join('');
}

/** Returns true if the result of a plan's run needs no comment. */
export const isSilent = ({ verb, own_commit }: RunPlan): boolean =>
  own_commit !== undefined || storedVerb(verb)?.silent === true;

/**
 * Returns true if a plan may turn out to have nothing to do, so that its display waits. Without a
 * store, only our posts on GitHub can tell. A triage displays itself by its labels.
 */
export async function mayBeSkipped(plan: RunPlan, store: StateStore | null): Promise<boolean> {
  if (isSilent(plan)) return true;
  if (plan.review_scope !== 'new') return false;
  return store === null || (await readReviewRecord(plan, store)) !== null;
}

function worst(findings: readonly PreviousFinding[]): PreviousFinding[] {
  return findings
    .toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity))
    .slice(0, mostListed);
}

/** Reads the last review and its findings from the state, else from our posts on GitHub. */
async function earlierReviews(
  plan: RunPlan,
  store: StateStore | null,
  { github, ownLogin }: BrokerContext,
): Promise<{ readonly last: Reviewed | null; readonly findings: readonly PreviousFinding[] }> {
  if (plan.thread === null) return { last: null, findings: [] };
  const record = await readReviewRecord(plan, store);
  // A finding that was never posted must be found again.
  const readPosts = record === null ? readAllOwnPosts : readOwnPosts;
  const posts = await readPosts(plan, github.writer, ownLogin);
  return {
    last: record === null ? lastReviewed(posts, plan) : record.reviewed,
    findings: previousFindings(record, posts),
  };
}

function lastReviewed({ reviews, summaryHead }: OwnPosts, { checkout }: RunPlan): Reviewed | null {
  const head = summaryHead ?? reviews.findLast(({ partial }) => !partial)?.commit ?? null;
  return head === null ? null : { head, base: checkout.base_sha ?? head };
}

/** Returns the pull request's diff at its last review; null if those commits were deleted. */
async function diffThen(
  { head, base }: Reviewed,
  { checkout, remote }: ScopeSources,
  { mirrorsFolder, log, signal }: BrokerContext,
): Promise<string | null> {
  try {
    await fetchIntoMirror(mirrorsFolder, remote, { refs: [], commits: [head, base] }, signal);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    log.info({ head }, 'The last reviewed commit is gone; all changes are reviewed.');
    return null;
  }
  return diffBetween(checkout.git, base, head);
}
