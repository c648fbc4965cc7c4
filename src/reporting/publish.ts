import { triggerDefaults } from '../config/defaults.ts';
import { append } from '../contract/lists.ts';
import type { Outcome } from '../contract/outcome.ts';
import { type RunPlan, workOf } from '../contract/plan.ts';
import { decidePatchPlace, weakerOutlet } from './changes/decide-outlet.ts';
import { type ChangesPublished, publishChanges } from './changes/publish-changes.ts';
import { createHunkMap } from './diff/hunk-map.ts';
import { type HandoffIssue, postHandoff } from './issues/handoff-issue.ts';
import { type ChangesIssue, postChangesIssue } from './issues/post-changes-issue.ts';
import { type Attempt, createAttempt } from './posting/api-failure.ts';
import { editOwnComment, markedBody, postOwnComment } from './posting/own-comment.ts';
import type { PublishPorts } from './posting/ports.ts';
import { claimsOn, forgetClaims } from './posting/post-once.ts';
import { postPlan } from './questions/post-plan.ts';
import { postQuestion, questionForm } from './questions/post-question.ts';
import { renderApproval } from './questions/render-approval.ts';
import type { Published } from './report/published.ts';
import { renderReport } from './report/render-report.ts';
import { publishReview, unposted } from './review/publish-review.ts';
import type { Proposals, PublishedReview } from './review/published-review.ts';
import { breaksCheck } from './suggestions/suggestion-checks.ts';
import { type Suggestion, suggestFromPatch } from './suggestions/suggestions.ts';
import { codeSpan, oneLine } from './text/markdown.ts';
import { publicCut } from './text/public-text.ts';
import { publishDescription } from './thread/publish-description.ts';
import { publishTriage } from './thread/publish-triage.ts';
import { reactDone, tryRemoveEyes } from './thread/reactions.ts';

/**
 * Publishes a run's outcome: commit and pull request, review, question, handoffs, and last the
 * report. Safe to call again, also after a crash: it creates nothing twice. The report names what
 * GitHub refused, and holds a change that found no other place. `patch` and `report` are always
 * returned.
 */
export async function publish(outcome: Outcome, plan: RunPlan, ports: PublishPorts): Promise<Published> {
  const failures: string[] = [];
  let defect: string | null = null;
  const onDefect = (failure: string) => {
    defect ??= failure;
  };
  // A defect is met again by whoever tries again; the last one tells it beside all else.
  const attempt = createAttempt(plan, ports.tellsDefects ? { ...ports, onDefect } : ports, failures);

  const changes =
    (await attempt('The commit', () => publishChanges(outcome, plan, ports))) ?? uncommitted(plan, ports);
  append(failures, changes.failures);
  const { wordsOnly } = ports;
  const proposals = proposalsOf(outcome, plan, changes.outlet, ports);
  const review =
    (await attempt('The review', () => publishReview(outcome, plan, proposals, ports, attempt))) ??
    (await unposted(outcome, plan, proposals, ports));
  append(failures, review.notes);
  const asked = outcome.question;
  const question =
    asked === null
      ? null
      : await attempt('The question', async () =>
          postQuestion('question', questionForm(asked, plan, ports), plan, ports),
        );
  const pending = outcome.pending_approval;
  const approval =
    pending === undefined
      ? null
      : await attempt('The request for approval', async () =>
          postQuestion(
            'approval',
            { text: renderApproval(pending, outcome, plan, ports.config), boxes: [] },
            plan,
            ports,
          ),
        );
  if (pending !== undefined && approval === null) {
    failures.push('No approval can resume this run, as its request could not be put to anyone.');
  }
  if (asked !== null && question === null) {
    failures.push('No answer can resume this run, as its question could not be put to anyone.');
  }
  const { uploadSarif } = ports;
  // An upload closes what it does not name.
  if (
    uploadSarif !== undefined &&
    wordsOnly === undefined &&
    outcome.conclusion === 'success' &&
    outcome.unreported === undefined
  )
    await attempt('The findings for code scanning', uploadSarif);
  const planned = await attempt('The plan', async () => postPlan(outcome, plan, ports));
  const described =
    wordsOnly === undefined
      ? await attempt('The description', async () => publishDescription(outcome, plan, ports))
      : null;
  const triage =
    wordsOnly === undefined
      ? await attempt('The labels', async () => publishTriage(outcome, plan, ports))
      : null;
  const issues = await handOver(outcome, plan, ports, attempt);

  // A waiting run's changes ride in its session; without one they would be lost.
  const stranded =
    outcome.conclusion === 'waiting' && question === null && approval === null ? outcome.changes.patch : '';
  const patch = stranded + review.patch;
  const place = decidePatchPlace(patch, outcome, plan);
  const kept =
    place.kind === 'issue' ? await keepPatch(patch, place.reason, outcome, plan, ports, attempt) : null;
  const published: Omit<Published, 'report'> = {
    ...(changes.commit === undefined ? {} : { commit: changes.commit }),
    ...(changes.pull_request === undefined ? {} : { pull_request: changes.pull_request }),
    ...(review.posted === null ? {} : { review: review.posted }),
    ...(review.open === undefined ? {} : { open: review.open }),
    ...(question === null ? {} : { question: { id: question.id, url: question.url } }),
    ...(approval === null ? {} : { approval: { id: approval.id, url: approval.url } }),
    ...(planned === null ? {} : { plan: { id: planned.id, url: planned.url } }),
    ...(described === null ? {} : { described }),
    ...(triage === null ? {} : { triage }),
    issues: issues.posted,
    ...(kept === null ? {} : { changes_issue: { number: kept.number, url: kept.url } }),
    downgrades: [...changes.downgrades, ...unwritten(outcome, wordsOnly), ...issues.kept],
    failures,
    patch: kept === null ? patch : kept.left,
  };
  const report = renderReport(outcome, {
    plan,
    runUrl: ports.runUrl,
    published,
    findings: review.findings,
    carried: review.carried,
    tally: review.tally,
    moved: review.moved,
    mention: triggerDefaults(ports.config).mention,
  });
  const triaged = triagedQuietly(outcome, plan, published);
  const nothing = triaged || leavesNothing(outcome, plan, review, ports);
  const triedAgain = ports.triedAgain === true || ports.triedWhileDown === true;
  const lastly = createAttempt(plan, { ...ports, triedAgain }, failures);
  const comment = nothing
    ? await lastly('The end of the progress', async () => takeBack(ports))
    : await lastly('The report', async () => postReport(report, plan, ports));
  const rescued =
    comment === null && plan.thread !== null && published.patch !== ''
      ? await keepPatch(published.patch, 'the report could not be posted', outcome, plan, ports, attempt)
      : null;
  if (triaged) await reactDone(plan, ports);
  await tryRemoveEyes(plan, ports);
  await forgetClaims(plan, ports);
  return {
    ...published,
    ...(comment === null ? {} : { comment }),
    ...(rescued === null ? {} : { changes_issue: { number: rescued.number, url: rescued.url } }),
    failures: [...failures],
    ...(defect === null ? {} : { defect }),
    report,
  };
}

/** The way of changes whose commit broke. */
function uncommitted(plan: RunPlan, { pullRequestDiff }: PublishPorts): ChangesPublished {
  return { outlet: weakerOutlet(plan, pullRequestDiff !== null).kind, downgrades: [], failures: [] };
}

/** The issue for a patch; null where it cannot be made, or holds nothing of it. */
async function keepPatch(
  patch: string,
  reason: string,
  outcome: Outcome,
  plan: RunPlan,
  ports: PublishPorts,
  attempt: Attempt,
): Promise<ChangesIssue | null> {
  return attempt('The issue with the changes', async () =>
    postChangesIssue(patch, reason, outcome, plan, ports),
  );
}

/** Splits changes and unapproved patches into suggestions on the pull request and a patch. */
function proposalsOf(outcome: Outcome, plan: RunPlan, outlet: string, ports: PublishPorts): Proposals {
  const ended = (patch: string) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`);
  const waiting = outcome.approvals.map((approval) => ended(approval.diff ?? ''));
  const own = outlet === 'suggestions' || outlet === 'patch' ? ended(outcome.changes.patch) : '';
  const patches = [own, ...waiting].filter((patch) => patch !== '');
  const whole = patches.join('');
  if (
    ports.pullRequestDiff === null ||
    plan.thread?.kind !== 'pull_request' ||
    ports.wordsOnly !== undefined
  ) {
    return { suggestions: [], leftover: whole, whole };
  }
  const map = createHunkMap(ports.pullRequestDiff);
  const checks = outcome.suggestion_checks ?? [];
  const offers = (suggestion: Suggestion) => !breaksCheck(suggestion, checks);
  const split = patches.map((patch) =>
    patch === own && outlet === 'patch'
      ? { suggestions: [], leftover: own }
      : suggestFromPatch(patch, map, offers),
  );
  return {
    suggestions: split.flatMap((part) => part.suggestions),
    leftover: split.map((part) => part.leftover).join(''),
    whole,
  };
}

/** Issues for people and next runs; a handoff to anyone else is told in the report. */
async function handOver(
  outcome: Outcome,
  plan: RunPlan,
  ports: PublishPorts,
  attempt: Attempt,
): Promise<{ posted: HandoffIssue[]; kept: string[] }> {
  const posted: HandoffIssue[] = [];
  const kept: string[] = [];
  for (const [index, handoff] of outcome.handoffs.entries()) {
    const summary = publicCut(oneLine(handoff.summary), 400, '…');
    if (ports.wordsOnly !== undefined) {
      kept.push(`A handoff got no issue: ${summary}`);
      continue;
    }
    if (handoff.target !== 'user' && handoff.target !== 'next_thread') {
      kept.push(
        `A handoff to ${codeSpan(handoff.target)} went to the mailbox of that name, which ended with the run: ${summary}`,
      );
      continue;
    }
    const what = `Handoff ${index + 1} of ${outcome.handoffs.length} (${summary})`;
    const issue = await attempt(what, async () => postHandoff(handoff, index, plan, ports));
    if (issue !== null) posted.push(issue);
  }
  return { posted, kept };
}

/** The sentence for what a run proposed for its thread and nobody may have written any more. */
function unwritten({ description, triage }: Outcome, wordsOnly: string | undefined): string[] {
  const proposed = description !== undefined || triage !== undefined;
  return wordsOnly === undefined || !proposed ? [] : [`Nothing was written to the thread: ${wordsOnly}`];
}

/** True for a triage whose labels say it all: it needs no report. */
function triagedQuietly(outcome: Outcome, plan: RunPlan, published: Omit<Published, 'report'>): boolean {
  const { triage, failures } = published;
  // Without a proposal, the answer is all that the requester can learn.
  const said = triage !== undefined || plan.trigger_comment === null || outcome.answer === '';
  const nothingToSay = said && (triage?.duplicates.length ?? 0) === 0 && failures.length === 0;
  return workOf(plan) === 'triage' && outcome.conclusion === 'success' && nothingToSay;
}

/** True for an unrequested review without findings, if the configuration wants it silent. */
function leavesNothing(
  outcome: Outcome,
  plan: RunPlan,
  review: PublishedReview,
  ports: PublishPorts,
): boolean {
  const unasked = plan.profile === 'review' && plan.trigger_comment === null;
  const nothing =
    review.posted === null &&
    review.findings.length + review.patch.length === 0 &&
    outcome.unreported === undefined;
  return unasked && nothing && outcome.conclusion === 'success' && ports.config.review?.empty === 'silent';
}

async function takeBack({ progress, octokit }: PublishPorts): Promise<null> {
  await progress?.remove(octokit);
  return null;
}

/** The report takes the place of the progress comment; null where there is no thread to post on. */
async function postReport(
  report: string,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<{ id: number; url: string } | null> {
  if (ports.progress !== null) return ports.progress.finish(report, ports.octokit);
  if (plan.thread === null) return null;
  const claims = (what: string) => claimsOn(what, plan, ports);
  const place = { octokit: ports.octokit, plan, thread: plan.thread, ownLogin: ports.ownLogin, claims };
  const found = await postOwnComment(place, 'progress', report);
  if (found.body === markedBody(plan, 'progress', report)) return { id: found.id, url: found.url };
  const edited = await editOwnComment(place, 'progress', found.id, report);
  return { id: edited.id, url: edited.url };
}
