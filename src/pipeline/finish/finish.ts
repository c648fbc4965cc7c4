import path from 'node:path';
import { ownSecrets } from '../../config/secret-values.ts';
import { ConfigError, isFullDisk, RunStopped } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { isReview } from '../../contract/work-of.ts';
import { isOutage } from '../../github/api-errors.ts';
import { missingPermission, permissionRemedy } from '../../github/missing-permission.ts';
import { decideFailure } from '../../reporting/findings/decide-failure.ts';
import type { Published } from '../../reporting/report/published.ts';
import { type RunEnd, renderEnd } from '../../reporting/report/render-end.ts';
import { openFindings } from '../../reporting/review/fold-findings.ts';
import { tryRemoveEyes } from '../../reporting/thread/reactions.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import type { OpenedPlan, PreparedRun, RunFailure } from '../context/prepared-run.ts';
import { retryDuringOutage } from '../context/retry-during-outage.ts';
import type { DoneRun, FailedRun } from '../context/run-result.ts';
import { forgetQuestion } from '../prepare/close-answered.ts';
import { reopenRunCheck } from '../prepare/open-run-check.ts';
import { resumedAt, storeStopped } from '../prepare/resume-plan.ts';
import { closeDisplay, showRun } from '../prepare/show-run.ts';
import { saveSarif } from '../publish/review-sarif.ts';
import { saveAttestation } from '../publish/save-attestation.ts';
import { closeFailed } from './close-failed.ts';
import { fullDiskRemedy } from './full-disk-remedy.ts';
import { reportRun } from './report-run.ts';
import { saveAccount } from './save-account.ts';

/** Closes a published run: its state, its check, its report and its SARIF file. */
export async function finish(
  { run, published }: { readonly run: FinishedRun; readonly published: Published },
  prepared: PreparedRun,
  context: BrokerContext,
): Promise<DoneRun> {
  const { plan, session, display, checkout, pullRequestDiff: diff } = prepared;
  const { store, config } = context;
  const waiting = resumedAt(plan);
  // Nothing is resumed from state that could be forged.
  if (context.canAsk) await storeStopped(plan, run.stopped, store);
  if (session !== null && waiting !== null && !plan.resume?.stopped) await store.delete(waiting);
  if (session !== null) await forgetQuestion(session, store);
  await display.check?.finish(run.outcome, published);
  await tellLater(plan, run.outcome, published, context);
  if (context.canAsk) await saveAccount(plan, run.outcome, published, store);
  await closeDisplay(plan, display, published.report, context);
  const { outcome, ledgerFile } = run;
  const reported = { ledgerFile, outcome, published };
  const reportFile = await reportRun(await prepared.reportedPlan(), reported, context);
  const sarifFile = await saveSarif(context.sarifFile, { outcome, told: published.told }, plan, {
    diff,
    git: checkout.git,
    config,
  });
  const folder = path.dirname(ledgerFile);
  const attestationFile = await saveAttestation(published.commit, folder, context);
  const open = openFindings(published.told ?? []).map(({ finding }) => finding);
  const failure = decideFailure(open, config.review?.failOn);
  return { kind: 'run', ...reported, reportFile, attestationFile, sarifFile, failure };
}

/**
 * Stores a review, so that later events can tell its findings again. Any other run may have changed
 * their state, or seen that people did; a commit on the branch is reviewed by itself.
 */
async function tellLater(
  plan: RunPlan,
  outcome: Outcome,
  published: Published,
  context: BrokerContext,
): Promise<void> {
  if (plan.thread?.kind !== 'pull_request' || !context.canAsk) return;
  if (isReview(plan) && published.told !== undefined) {
    const { saveLastReview } = await import('../publish/stored-review.ts');
    await saveLastReview(plan, outcome, published, context);
  } else if (published.commit === undefined || plan.push.kind !== 'branch') {
    const { retellReview } = await import('./retell-findings.ts');
    await retellReview(plan, plan.source.delivery_id, context);
  }
}

/**
 * Reports a failure on the thread. Throws its error if another attempt follows; that one does not
 * run or post again.
 */
export async function finishFailed(
  { error, running }: RunFailure,
  { plan, display }: OpenedPlan,
  context: BrokerContext,
): Promise<FailedRun> {
  const { signal, store, lastAttempt, triedInOutage, outageWaitsMs = [], link, runUrl } = context;
  const isClear = isClearFailure(error);
  // A job ends with the error, and says it then.
  if (context.host !== 'action') logFailure(error, plan, context.log);
  const final = running || signal.aborted || isClear;
  if (!final && (!lastAttempt || (triedInOutage && isOutage(error)))) throw error;
  // A stopped run can be continued later.
  if (plan.resume?.stopped) await store.delete(stateKeys.resumed(plan.resume.run_id));
  const ledgerFile = path.join(context.runsFolder, plan.run_id, 'ledger.jsonl');
  const page = await reportRun(plan, { ledgerFile, outcome: null, published: null }, context);
  display.progress ??= await showRun(plan, context);
  const place = runUrl ?? (page === null ? null : link);
  const end = runEnd(error, plan, context);
  const text = (await renderSaved(end, plan, { ...context, link: place })) ?? renderEnd(end, place);
  await retryDuringOutage(outageWaitsMs, signal, async ({ more: triedAgain }) => {
    if (display.progress) await closeFailed(display.progress, text, { plan, context, triedAgain });
  });
  display.check ??= await reopenRunCheck(plan, context);
  await display.check?.fail(text);
  await closeDisplay(plan, display, text, context);
  await tryRemoveEyes(plan, { ...context, octokit: context.github.writer });
  return { kind: 'failed', error };
}

/** True for an error that a person can act on. */
const isClearFailure = (error: unknown): boolean =>
  error instanceof ConfigError || error instanceof RunStopped || missingPermission(error) !== null;

/** Logs the error of a run: of one that a person can act on its sentence, else with its trace. */
export function logFailure(error: unknown, plan: RunPlan, log: BrokerContext['log']): void {
  const cause = isClearFailure(error) ? { reason: explainFailure(error, plan).message } : { err: error };
  log.error({ ...cause, run: plan.run_id }, 'the run failed');
}

/** Renders what a broken run had done; null if it had not begun, and for any other end. */
async function renderSaved(end: RunEnd, plan: RunPlan, context: BrokerContext): Promise<string | null> {
  if (end.kind !== 'failed') return null;
  const { runsFolder, checkoutsFolder, link, log } = context;
  try {
    const { ledgersOf, renderBrokenRun } = await import('./broken-run.ts');
    const ledgers = await ledgersOf(path.dirname(runsFolder), plan.run_id);
    return await renderBrokenRun(ledgers, plan, {
      ...{ message: end.message, runUrl: link, checkoutsFolder: path.dirname(checkoutsFolder) },
      secrets: ownSecrets(context),
    });
  } catch (err) {
    log.warn({ err, run: plan.run_id }, 'The work of a broken run could not be read.');
    return null;
  }
}

/** Returns the text for a run without a report; keys that the error may quote are redacted. */
function runEnd(error: unknown, plan: RunPlan, { posting, signal }: BrokerContext): RunEnd {
  const { redact } = posting;
  if (signal.aborted) {
    const { reason } = signal;
    if (!(reason instanceof RunStopped)) return { kind: 'cancelled', message: 'The run was cancelled.' };
    const { kind, message } = reason.reason;
    if (kind === 'internal_error') return { kind: 'failed', message: redact(message) };
    return { kind: kind === 'superseded' ? 'superseded' : 'cancelled', message };
  }
  const { message, known } = explainFailure(error, plan);
  return { kind: 'failed', message: redact(message), known };
}

/**
 * Returns the sentence for the thread, and whether it says what to do. The cause of a defect is in
 * the log, not on GitHub.
 */
export function explainFailure(
  error: unknown,
  { source }: Pick<RunPlan, 'source'>,
): { readonly message: string; readonly known: boolean } {
  const permission = missingPermission(error);
  if (permission !== null) return { message: permissionRemedy(permission, source.kind), known: true };
  if (error instanceof ConfigError || error instanceof RunStopped)
    return { message: error.message, known: true };
  if (isFullDisk(error)) return { message: fullDiskRemedy, known: true };
  return { message: 'Something broke inside Anode CI itself; its log has the cause.', known: false };
}
