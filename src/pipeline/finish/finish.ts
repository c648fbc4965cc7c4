import path from 'node:path';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import { isOutage } from '../../github/api-errors.ts';
import type { Published } from '../../reporting/report/published.ts';
import { renderEnd } from '../../reporting/report/render-conclusion.ts';
import { tryRemoveEyes } from '../../reporting/thread/reactions.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import { duringOutage } from '../context/during-outage.ts';
import type { OpenedPlan, PreparedRun, RunFailure } from '../context/prepared-run.ts';
import type { DoneRun, FailedRun } from '../context/run-result.ts';
import { forgetQuestion } from '../prepare/close-answered.ts';
import { resumedAt, storeStopped } from '../prepare/resume-plan.ts';
import { closeDisplay, showRun } from '../prepare/show-run.ts';
import { saveSarif } from '../publish/review-sarif.ts';
import { reportRun } from './report-run.ts';
import { runEnd } from './run-end.ts';

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
  await closeDisplay(plan, display, published.report, context);
  const { outcome, ledgerFile } = run;
  const reported = { ledgerFile, outcome, published };
  const reportFile = await reportRun(await prepared.reportedPlan(), reported, context);
  const sarifFile = await saveSarif(context.sarifFile, outcome, plan, { diff, git: checkout.git, config });
  return { kind: 'run', ...reported, reportFile, sarifFile };
}

/**
 * Reports a failure on the thread. Throws its error if another attempt follows, which then neither
 * runs again nor posts twice.
 */
export async function finishFailed(
  { error, running }: RunFailure,
  { plan, display }: OpenedPlan,
  context: BrokerContext,
): Promise<FailedRun> {
  const { log, signal, store, lastAttempt, triedInOutage, outageWaitsMs = [], link } = context;
  log.error({ err: error, run: plan.run_id }, 'the run failed');
  const final = running || signal.aborted || error instanceof ConfigError || error instanceof RunStopped;
  if (!final && (!lastAttempt || (triedInOutage && isOutage(error)))) throw error;
  // A stopped run can be continued later.
  if (plan.resume?.stopped) await store.delete(`resumed/${plan.resume.run_id}`);
  const ledgerFile = path.join(context.runsFolder, plan.run_id, 'ledger.jsonl');
  await reportRun(plan, { ledgerFile, outcome: null, published: null }, context);
  display.progress ??= await showRun(plan, context);
  const text = renderEnd(runEnd(error, context), link);
  await duringOutage(outageWaitsMs, signal, async ({ more }) => display.progress?.fail(text, more));
  await display.check?.fail(text);
  await closeDisplay(plan, display, text, context);
  await tryRemoveEyes(plan, { ...context, octokit: context.github.writer });
  return { kind: 'failed', error };
}
