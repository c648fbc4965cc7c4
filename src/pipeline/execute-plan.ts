import path from 'node:path';
import { ConfigError, RunStopped } from '../contract/errors.ts';
import type { RunPlan } from '../contract/plan.ts';
import { createOctokit } from '../github/create-octokit.ts';
import { isOutage } from '../github/is-outage.ts';
import type { RunCheck } from '../reporting/check-run/run-check.ts';
import type { ProgressComment } from '../reporting/posting/ports.ts';
import { renderEnd } from '../reporting/report/render-end.ts';
import { tryRemoveEyes } from '../reporting/thread/remove-eyes.ts';
import { composeRun } from '../run/compose-run.ts';
import { removeTree } from '../workspace/files/remove-tree.ts';
import { type Checkout, checkoutRun } from '../workspace/git/checkout.ts';
import { diffBetween, forkPoint } from '../workspace/git/diff-between.ts';
import { filesAt } from '../workspace/git/files-at.ts';
import { steeringAt } from '../workspace/git/steering-tree.ts';
import type { ExecutePorts } from './context/execute-ports.ts';
import type { BrokenPlan, ExecutedPlan, QuietPlan } from './context/executed-plan.ts';
import { keepRun, keptRun } from './context/kept-run.ts';
import { configOf, usableConfig } from './context/plan-config.ts';
import { isChecksOnly, plannedRun } from './context/planned-run.ts';
import { whileDown } from './context/while-down.ts';
import { reportLinkFor, reportRun } from './finish/report-run.ts';
import { runEnd } from './finish/run-end.ts';
import { closeAnswered, forgetAsked } from './prepare/close-answered.ts';
import { fetchAttachments } from './prepare/fetch-attachments.ts';
import { withoutTemplates } from './prepare/known-hidden-text.ts';
import { openRunCheck } from './prepare/open-run-check.ts';
import { restoreChanges } from './prepare/restore-changes.ts';
import {
  approvalAnswer,
  keepStopped,
  resumedAt,
  takeSession,
  withGrantsOfWriters,
} from './prepare/resume-plan.ts';
import { mayBeQuiet, reviewScope } from './prepare/review-scope.ts';
import { setupPlace } from './prepare/setup-place.ts';
import { keepOpen, readOpen, settleRun, showRun } from './prepare/show-run.ts';
import { takeProposal } from './prepare/take-proposal.ts';
import { publishQuiet, publishRun } from './publish/publish-run.ts';
import { keepSarif } from './publish/review-sarif.ts';

/**
 * Carries out a plan: progress comment, checkout, run, publication. What goes wrong before and after the run is
 * thrown while another attempt may follow, which then neither runs again nor posts twice. Anything else is said
 * where the person who asked can see it; nothing half-done is published.
 */
export async function executePlan(
  plan: RunPlan,
  ports: ExecutePorts,
): Promise<ExecutedPlan | QuietPlan | BrokenPlan> {
  const { log, ownLogin, store, signal, waitsWhileDown: waits = [], triedWhileDown = false } = ports;
  const runUrl = ports.runUrl ?? reportUrlOf(plan, ports);
  const spending = { budget: ports.budget };
  const octokit = createOctokit({ apiUrl: ports.apiUrl, token: ports.writeToken, ...spending });
  const shows = { octokit, store, ownLogin, runUrl, log, ...spending };
  const showProgress = () => whileDown(waits, signal, () => showRun(plan, usableConfig(plan, ports), shows));
  const kept = await keptRun(plan, store);
  // An earlier attempt may have ended the run, or told of it: that is to be told to its end.
  const told = kept !== null || (await readOpen(plan, store))?.shown === true;
  const quiet = (plan.verb === 'triage' || !told) && (await mayBeQuiet(plan, ports.canAsk ? store : null));
  if (quiet && plan.thread !== null) await keepOpen(plan, {}, shows);
  let progress = quiet ? null : await showProgress();
  if (!quiet && leadsNowhere(plan, progress)) return unheard;
  let check: RunCheck | null = null;
  let checkout: Checkout | null = null;
  let running = false;
  let attachments: ReturnType<typeof fetchAttachments> | null = null;
  const over = new AbortController();
  const folder = path.join(ports.checkoutsFolder, plan.run_id);
  const { trusted } = plan.checkout;
  try {
    const config = configOf(plan, ports);
    await takeProposal(plan, store);
    const session = await withGrantsOfWriters(await takeSession(plan, store), plan, octokit);
    if (session !== null) await closeAnswered(session, plan, { octokit, store, log });
    const remote = { url: plan.repository.clone_url, token: await ports.readToken() };
    // Beside the checkout, which takes longer.
    attachments = fetchAttachments(plan, {
      ...ports,
      signal: AbortSignal.any([ports.signal, over.signal]),
    });
    attachments.catch(() => undefined);
    checkout = await checkoutRun({
      remote,
      ref: plan.checkout.ref,
      sha: plan.checkout.sha,
      baseRef: `refs/heads/${plan.checkout.base_ref}`,
      baseSha: plan.checkout.base_sha,
      ...(trusted === undefined ? {} : { also: { ...trusted, ref: `refs/heads/${trusted.ref}` } }),
      folder,
      mirrorFolder: ports.mirrorsFolder,
      ...{ waits: [500, 1_500, 4_000], signal: ports.signal },
    });
    const { git, root } = checkout;
    const { sha, base_sha: baseSha } = plan.checkout;
    const trustedSha = trusted?.sha ?? baseSha ?? sha;
    const diff = baseSha === null ? null : await diffBetween(git, baseSha, sha);
    const review =
      diff === null
        ? null
        : await reviewScope(plan, diff, checkout, config, {
            ...{ octokit, ownLogin, remote, log, mirrorsFolder: ports.mirrorsFolder, signal: ports.signal },
            ...{ store: ports.canAsk ? store : null, kept: kept?.scope ?? null },
          });
    if (kept === null && plan.review_scope === 'new' && review?.ports.nothingNew) {
      const quietly = { octokit, store, log, ownLogin, runUrl, config, pullRequestDiff: diff };
      await publishQuiet(plan, { ...quietly, review: review.ports }, ports);
      await progress?.remove(octokit);
      await settleRun(plan, { progress, check }, '', shows);
      return { kind: 'quiet', reason: 'Everything in this pull request was reviewed before.' };
    }
    if (plan.verb !== 'triage') {
      progress ??= await showProgress();
      if (leadsNowhere(plan, progress)) return unheard;
    }
    check = await openRunCheck(plan, {
      ...shows,
      ...{ config, pullRequestDiff: diff, right: ports.checkRight ?? null, writeToken: ports.writeToken },
      octokitWith: (token) => createOctokit({ apiUrl: ports.apiUrl, token, ...spending }),
    });
    const restored = checkout;
    const shown = [progress, check];
    running = kept === null;
    const finished =
      kept?.finished ??
      (await composeRun({
        ...plannedRun(plan),
        attachments: await attachments,
        root,
        runsFolder: ports.runsFolder,
        ownFolders: [ports.ownFolder],
        ...(ports.repositoriesFrom === undefined ? {} : { repositoriesFrom: ports.repositoriesFrom }),
        ...(config.setup === undefined ? {} : { setup: await setupPlace(plan, git, ports) }),
        ...(review === null ? {} : { task: review.request }),
        reviewDiff: review?.diff ?? diff,
        pullRequestDiff: diff,
        range: baseSha === null ? null : { git, from: await forkPoint(git, baseSha, sha), to: sha },
        // No model is paid for a review of nothing.
        checksOnly:
          isChecksOnly(plan, config) || (plan.verb === 'review' && review?.ports.nothingNew === true),
        trusted: (paths) => filesAt(git, trustedSha, paths),
        steering: steeringAt(git, trustedSha),
        config,
        canAsk: ports.canAsk && plan.thread !== null,
        // Where an answer's session could be forged on its way, so could what is kept.
        kept: ports.canAsk ? store : null,
        resume:
          session === null
            ? null
            : {
                session,
                answer: plan.prompt,
                ...approvalAnswer(plan, store),
                standing: '',
                restore: () => restoreChanges(session, plan, restored),
              },
        environment: ports.environment,
        secrets: [remote.token],
        listen: (event) => {
          for (const sign of shown) sign?.update(event);
        },
        signal: ports.signal,
      }));
    running = false;
    for (const message of finished.outcome.diagnostics) log.warn({ run: plan.run_id }, message);
    const { stop } = finished.outcome;
    if (stop?.kind === 'internal_error') log.error({ run: plan.run_id }, stop.message);
    const scope = review?.ports ?? null;
    if (kept === null) await keepRun(plan, { finished, scope }, store);
    const hidden = await withoutTemplates(plan.hidden_text ?? [], checkout, baseSha ?? sha);
    const toPublish = {
      ...{
        finished,
        plan: { ...plan, hidden_text: hidden },
        config,
        pullRequestDiff: diff,
        checkout,
        progress,
      },
      review: scope,
    };
    const published = await whileDown(waits, signal, ({ attempt, more }) =>
      publishRun(toPublish, {
        ...{ ...ports, runUrl, triedWhileDown: more || triedWhileDown, tellsDefects: ports.lastAttempt },
        lastAttempt: ports.lastAttempt && (!more || attempt > triesOfParts),
      }),
    );
    const waiting = resumedAt(plan);
    // Where it could be forged on its way, nothing is kept to go on from.
    if (ports.canAsk) await keepStopped(plan, finished.stopped, store);
    if (session !== null && waiting !== null && !plan.resume?.stopped) await store.delete(waiting);
    if (session !== null) await forgetAsked(session, store);
    await check?.finish(finished.outcome, published);
    await settleRun(plan, { progress, check }, published.report, shows);
    const { outcome, ledgerFile } = finished;
    const reported = { ledgerFile, outcome, published };
    const reportFile = await reportRun({ ...plan, hidden_text: hidden }, reported, ports);
    const sarifFile = await keepSarif(ports.sarifFile, outcome, plan, { diff, git, config });
    return { kind: 'run', ...reported, reportFile, sarifFile };
  } catch (error) {
    log.error({ err: error, run: plan.run_id }, 'the run failed');
    const stopped = ports.signal.aborted;
    const final = running || stopped || error instanceof ConfigError || error instanceof RunStopped;
    if (!final && (!ports.lastAttempt || (triedWhileDown && isOutage(error)))) throw error;
    // What was stopped stays there to be taken up again.
    if (plan.resume?.stopped) await store.delete(`resumed/${plan.resume.run_id}`);
    const ledgerFile = path.join(ports.runsFolder, plan.run_id, 'ledger.jsonl');
    await reportRun(plan, { ledgerFile, outcome: null, published: null }, ports);
    progress ??= await showProgress();
    const words = renderEnd(runEnd(error, ports), runUrl);
    await whileDown(waits, signal, async ({ more }) => progress?.fail(words, more));
    await check?.fail(words);
    await settleRun(plan, { progress, check }, words, shows);
    await tryRemoveEyes(plan, shows);
    return { kind: 'broken', error };
  } finally {
    // Nothing goes on after its run: the next delivery may be another repository's.
    over.abort();
    await Promise.allSettled([progress?.leave(), attachments]);
    await checkout?.remove();
    // Also what a checkout that broke off left behind.
    await removeTree(folder);
  }
}

/** How often what GitHub does not take is tried again, before the report says so; where it takes no report either, more often. */
const triesOfParts = 3;

const unheard: QuietPlan = {
  kind: 'quiet',
  reason: 'GitHub takes no comment of ours on that thread, and the run has nothing but words to leave.',
};

/** True where a run could only tell something, and its thread takes no comment: it would be paid for and read by nobody. */
function leadsNowhere({ thread, push }: RunPlan, progress: ProgressComment | null): boolean {
  return thread !== null && progress === null && push.kind === 'none';
}

/** Where the report will be read; null without such a place, and for a configuration that the run ends by anyway. */
function reportUrlOf(plan: RunPlan, ports: ExecutePorts): string | null {
  if (!ports.reportLinks) return null;
  try {
    return reportLinkFor(plan, configOf(plan, ports), ports.reportLinks);
  } catch {
    return null;
  }
}
