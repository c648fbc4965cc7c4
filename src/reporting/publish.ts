import { triggerDefaults } from '../config/defaults.ts';
import { append } from '../contract/lists.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import { storedVerb } from '../contract/verbs.ts';
import { isReview, workOf } from '../contract/work-of.ts';
import { decidePatchTarget } from './changes/outlet-rules.ts';
import { outlets, outletWithoutCommit, publishChanges } from './changes/outlets.ts';
import { createHunkMap } from './diff/hunk-map.ts';
import { splitClaims } from './findings/fixed-claims.ts';
import { settleCommit } from './findings/settle-commit.ts';
import { type HandoffIssue, postHandoff, renderHandoff } from './issues/handoff-issue.ts';
import { type ChangesIssue, postChangesIssue } from './issues/post-changes-issue.ts';
import { type Attempt, createAttempt } from './posting/api-failure.ts';
import { editOwnComment, markedBody, type OwnComment, postOwnComment } from './posting/own-comment.ts';
import type { PublishPorts } from './posting/ports.ts';
import { claimsOn, forgetClaims } from './posting/post-once.ts';
import { postPlan } from './questions/post-plan.ts';
import { postQuestion, questionForm } from './questions/post-question.ts';
import { postThreadQuestion } from './questions/post-thread-question.ts';
import { renderApproval } from './questions/render-approval.ts';
import type { Published } from './report/published.ts';
import { renderNews } from './report/render-news.ts';
import { renderReport } from './report/render-report.ts';
import { withoutNothing } from './report/unsaid-part.ts';
import { publishReview, unposted } from './review/publish-review.ts';
import type { Proposals, PublishedReview } from './review/published-review.ts';
import { breaksCheck } from './suggestions/suggestion-checks.ts';
import { type SplitSuggestions, type Suggestion, suggestFromPatch } from './suggestions/suggestions.ts';
import { publishSummary, summaryUrlOf } from './summary/publish-summary.ts';
import { withPlaceLinks } from './text/link-places.ts';
import { codeSpan, oneLine } from './text/markdown.ts';
import { publicCut } from './text/public-text.ts';
import { answeredThread, answerThread } from './thread/answer-thread.ts';
import { publishDescription } from './thread/publish-description.ts';
import { publishTriage } from './thread/publish-triage.ts';
import { reactDone, tryRemoveEyes } from './thread/reactions.ts';

/** One publication of one run. */
interface Publication {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly ports: PublishPorts;
  readonly attempt: Attempt;
  /** Sentences for the report, added as things fail. */
  readonly failures: string[];
}

/**
 * Publishes a run's outcome: commit and pull request, review, question, handoffs, and last the
 * report. Safe to call again, also after a crash: it creates nothing twice. The report names what
 * GitHub refused, and holds a change that found no other place. `patch` and `report` are always
 * returned.
 */
export async function publish(whole: Outcome, plan: RunPlan, ports: PublishPorts): Promise<Published> {
  const { answer, claimed } = splitClaims(whole.answer);
  const outcome = { ...whole, answer: withoutNothing(answer) };
  const failures: string[] = [];
  let defect: string | undefined;
  const onDefect = (failure: string) => {
    defect ??= failure;
  };
  // A retry meets the defect again; the last attempt reports it.
  const attempt = createAttempt(plan, ports.reportsDefects ? { ...ports, onDefect } : ports, failures);
  const run: Publication = { outcome, plan, ports, attempt, failures };
  const changes =
    (await attempt('The commit', () => publishChanges(outcome, plan, ports))) ??
    outletWithoutCommit(outcome, plan, ports);
  append(failures, changes.failures);
  const proposals = proposalsOf(run, changes.outlet);
  const review =
    (await attempt('The review', () =>
      publishReview({ ...run, proposals, summaryUrl: () => summaryUrlOf(plan, ports) }),
    )) ?? (await unposted({ ...run, proposals }));
  append(failures, review.notes);
  const answered = await settleFindings(run, changes.commit?.sha ?? null, claimed);
  const { question, approval } = await postRequests(run);
  await uploadFindings(run, review);
  const planned = await attempt('The plan', async () => postPlan(outcome, plan, ports));
  const { described, triage } = await writeToThread(run);
  const handoffs = await handOver(run);
  // A waiting run's changes stay in its session; without one they would be lost.
  const isStranded = outcome.conclusion === 'waiting' && question === null && approval === null;
  const patch = (isStranded ? outcome.changes.patch : '') + review.patch;
  const target = decidePatchTarget(patch, outcome, plan);
  const issue = target.kind === 'issue' ? await storePatch(patch, target.reason, run) : null;
  const published: Omit<Published, 'report'> = {
    commit: changes.commit,
    pull_request: changes.pull_request,
    review: review.posted ?? undefined,
    told: review.told,
    question: linkTo(question),
    approval: linkTo(approval),
    answered: answered ?? undefined,
    plan: linkTo(planned),
    described: described ?? undefined,
    triage: triage ?? undefined,
    issues: handoffs.posted,
    handoffs: handoffs.kept.length === 0 ? undefined : handoffs.kept,
    changes_issue: issue === null ? undefined : { number: issue.number, url: issue.url },
    downgrades: [...changes.downgrades, ...unwritten(run), ...handoffs.omitted],
    withheld: ports.textOnly === undefined ? undefined : changes.downgrades[0],
    uncommitted: changes.uncommitted,
    failures,
    patch: issue === null ? patch : issue.rest,
  };
  return { ...(await finish(run, review, published)), failures: [...failures], defect };
}

/** Ends the progress comment with the report, and removes what marks an active run. */
async function finish(
  run: Publication,
  review: PublishedReview,
  published: Omit<Published, 'report'>,
): Promise<Published> {
  const { outcome, plan, ports, failures } = run;
  const { carried, tally } = review;
  const { mention } = triggerDefaults(ports.config);
  const { runUrl } = ports;
  const linked = await withPlaceLinks(outcome, plan, published.commit?.sha ?? null, ports.readHeadFile);
  const context = { plan, runUrl, published, findings: review.findings, carried, tally, mention };
  const triaged = isTriagedQuietly(run, published);
  const isSilent = isSilentReview(run, review);
  const triedAgain = ports.triedAgain === true || ports.triedInOutage === true;
  const attemptReport = createAttempt(plan, { ...ports, triedAgain }, failures);
  const told = async () =>
    publishSummary({
      ...{ outcome, plan, ports, review, editsOnly: isSilent },
      render: (isFirst) =>
        renderNews(linked, { ...context, scope: review.scope, hasReply: !isFirst && repliesTo(run) }),
    });
  const summary = await attemptReport('The summary', told);
  const all = { ...published, summary: summary ?? undefined };
  const listed = summary === null ? review.findings : [];
  const report = renderReport(linked, { ...context, published: all, findings: listed });
  const isTold = summary !== null && isReview(plan) && (summary.isOwn || !repliesTo(run));
  const comment =
    triaged || isSilent || isTold
      ? ((await attemptReport('The end of the progress', async () => removeProgress(ports))) ?? summary)
      : await attemptReport('The report', async () => postReport(report, plan, ports));
  const isLost = comment === null && plan.thread !== null && published.patch !== '';
  const rescued = isLost ? await storePatch(published.patch, 'the report could not be posted', run) : null;
  if (triaged) await reactDone(plan, ports);
  await tryRemoveEyes(plan, ports);
  await forgetClaims(plan, ports);
  return {
    ...all,
    comment: comment ?? undefined,
    changes_issue: rescued === null ? published.changes_issue : { number: rescued.number, url: rescued.url },
    report,
  };
}

const linkTo = (comment: OwnComment | null): { id: number; url: string } | undefined =>
  comment === null ? undefined : { id: comment.id, url: comment.url };

/** Returns the issue for a patch; null if it cannot be created or holds nothing of it. */
async function storePatch(patch: string, reason: string, run: Publication): Promise<ChangesIssue | null> {
  return run.attempt('The issue with the changes', async () => postChangesIssue(patch, reason, run));
}

/** Splits changes and unapproved patches into suggestions on the pull request and a patch. */
function proposalsOf({ outcome, plan, ports }: Publication, outletName: string): Proposals {
  const ended = (patch: string) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`);
  const remainder = outlets.find(({ name }) => name === outletName)?.remainder ?? null;
  const own = remainder === null ? '' : ended(outcome.changes.patch);
  const unapproved = outcome.approvals.map((approval) => ended(approval.diff ?? ''));
  const { pullRequestDiff: diff, textOnly } = ports;
  const asPatch = (patch: string): SplitSuggestions => ({ suggestions: [], leftover: patch });
  const map = createHunkMap(diff ?? '');
  const checks = outcome.suggestion_checks ?? [];
  const offers = (suggestion: Suggestion) => !breaksCheck(suggestion, checks);
  const canSuggest = diff !== null && plan.thread?.kind === 'pull_request' && textOnly === undefined;
  const split = (patch: string) => (canSuggest ? suggestFromPatch(patch, map, offers) : asPatch(patch));
  const parts = [remainder === 'suggestions' ? split(own) : asPatch(own), ...unapproved.map(split)];
  return {
    suggestions: parts.flatMap(({ suggestions }) => suggestions),
    leftover: parts.map(({ leftover }) => leftover).join(''),
    whole: [own, ...unapproved].join(''),
  };
}

/**
 * Ends the findings that the commit of a run fixed, and answers in the review thread that the run
 * was requested in. The answer names the commit there. Returns the answer.
 */
async function settleFindings(
  run: Publication,
  sha: string | null,
  claimed: ReadonlySet<string> | null,
): Promise<{ readonly url: string } | null> {
  const { outcome, plan, ports, attempt } = run;
  if (plan.thread?.kind !== 'pull_request') return null;
  const answered = answeredThread(outcome, plan);
  const settled =
    sha === null || plan.push.kind !== 'branch'
      ? null
      : await attempt('The end of the findings', () => settleCommit({ ...run, claimed, answered }, sha));
  const fixing = settled?.has(answered) === true ? sha : null;
  return attempt('The answer in the thread', () => answerThread(outcome, fixing, plan, ports));
}

/** Posts the question or the request for approval that the run waits for. */
async function postRequests({ outcome, plan, ports, attempt, failures }: Publication) {
  const { question: asked, pending_approval: pending } = outcome;
  const question =
    asked === null
      ? null
      : await attempt('The question', async () =>
          postQuestion('question', questionForm(asked, plan, ports), plan, ports),
        );
  if (asked !== null && question !== null)
    await attempt('The question in the thread', () => postThreadQuestion(asked, question.url, plan, ports));
  const form = (approval: NonNullable<typeof pending>) => ({
    text: renderApproval(approval, outcome, plan, ports.config),
    boxes: [],
  });
  const approval =
    pending === undefined
      ? null
      : await attempt('The request for approval', async () =>
          postQuestion('approval', form(pending), plan, ports),
        );
  if (pending !== undefined && approval === null)
    failures.push('No approval can resume this run, as its request could not be posted.');
  if (asked !== null && question === null)
    failures.push('No answer can resume this run, as its question could not be posted.');
  return { question, approval };
}

/** Uploads the findings of a complete run to code scanning: an upload closes what it omits. */
async function uploadFindings(
  { outcome, ports, attempt }: Publication,
  { told }: PublishedReview,
): Promise<void> {
  const { uploadSarif, textOnly } = ports;
  const isComplete = outcome.conclusion === 'success' && outcome.unreported === undefined;
  if (uploadSarif === undefined || textOnly !== undefined || !isComplete) return;
  await attempt('The findings for code scanning', () => uploadSarif(told));
}

/** Writes the proposed description and labels to the thread. */
async function writeToThread({ outcome, plan, ports, attempt }: Publication) {
  if (ports.textOnly !== undefined) return { described: null, triage: null };
  return {
    described: await attempt('The description', async () => publishDescription(outcome, plan, ports)),
    triage: await attempt('The labels', async () => publishTriage(outcome, plan, ports)),
  };
}

/**
 * Creates issues for people and next runs. A handoff that GitHub refuses stands whole in the
 * report; others are named there.
 */
async function handOver({ outcome, plan, ports, attempt }: Publication) {
  const posted: HandoffIssue[] = [];
  const omitted: string[] = [];
  const kept: string[] = [];
  for (const [index, handoff] of outcome.handoffs.entries()) {
    const summary = publicCut(oneLine(handoff.summary), 400, '…');
    const text = () => {
      const { title, body } = renderHandoff(handoff, index, plan, { runUrl: ports.runUrl });
      // The first line is the marker of an issue.
      return `**${title}**\n\n${body.slice(body.indexOf('\n') + 1)}`;
    };
    if (ports.textOnly !== undefined) {
      omitted.push(`A handoff got no issue: ${summary}`);
      kept.push(text());
      continue;
    }
    if (handoff.target !== 'user' && handoff.target !== 'next_thread') {
      omitted.push(
        `A handoff to ${codeSpan(handoff.target)} went to the mailbox of that name, which ended with the run: ${summary}`,
      );
      continue;
    }
    const what = `Handoff ${index + 1} of ${outcome.handoffs.length} (${summary})`;
    const issue = await attempt(what, async () => postHandoff(handoff, index, plan, ports));
    if (issue === null) kept.push(text());
    else posted.push(issue);
  }
  return { posted, omitted, kept };
}

/** Returns the sentence for a proposal that may no longer be written to the thread. */
function unwritten({ outcome: { description, triage }, ports: { textOnly } }: Publication): string[] {
  const proposed = description !== undefined || triage !== undefined;
  return textOnly === undefined || !proposed ? [] : [`Nothing was written to the thread: ${textOnly}`];
}

/** True for a triage whose labels say it all: it needs no report. */
function isTriagedQuietly(
  { outcome, plan }: Publication,
  { triage, failures }: Omit<Published, 'report'>,
): boolean {
  // Without a proposal, the answer is all that the requester can learn.
  const isAnswered = triage !== undefined || plan.trigger_comment === null || outcome.answer === '';
  const needsNoReport = isAnswered && (triage?.duplicates.length ?? 0) === 0 && failures.length === 0;
  return storedVerb(workOf(plan))?.silent === true && outcome.conclusion === 'success' && needsNoReport;
}

/**
 * True for an unrequested review without findings, if the configuration wants it silent, and for
 * one of a head of ours whose findings have threads.
 */
function isSilentReview({ outcome, plan, ports }: Publication, review: PublishedReview): boolean {
  const isUnrequested = isReview(plan) && plan.trigger_comment === null;
  const isOwnCommit = plan.own_commit !== undefined;
  const nothing =
    (review.posted === null || isOwnCommit) &&
    review.findings.length + review.patch.length === 0 &&
    outcome.unreported === undefined;
  const isQuiet = isOwnCommit || ports.config.review?.empty === 'silent';
  return isUnrequested && nothing && outcome.conclusion === 'success' && isQuiet;
}

/** True if a review leaves a comment beside the summary: one was requested, or waits for people. */
function repliesTo({ outcome, plan, ports }: Publication): boolean {
  const isRequested = plan.trigger_comment !== null || ports.config.report?.notify === 'comment';
  return isRequested || outcome.conclusion === 'waiting';
}

async function removeProgress({ progress, octokit }: PublishPorts): Promise<null> {
  if (progress?.isClosed() === false) await progress.remove(octokit);
  return null;
}

/** Replaces the progress comment by the report; null if there is no thread. */
async function postReport(
  report: string,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<{ id: number; url: string } | null> {
  if (ports.progress !== null) return ports.progress.finish(report, ports.octokit);
  if (plan.thread === null) return null;
  const claims = (what: string) => claimsOn(what, plan, ports);
  const target = { octokit: ports.octokit, plan, thread: plan.thread, ownLogin: ports.ownLogin, claims };
  const found = await postOwnComment(target, 'progress', report);
  if (found.body === markedBody(plan, 'progress', report)) return { id: found.id, url: found.url };
  const edited = await editOwnComment(target, 'progress', found.id, report);
  return { id: edited.id, url: edited.url };
}
