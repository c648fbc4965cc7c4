import type { StagedWrites } from '../src/github/staged-writes.ts';
import type { Handled } from '../src/pipeline/worker.ts';
import { renderPostedSummary } from '../src/reporting/report/render-summary.ts';
import { findingsToList } from '../src/reporting/review/fold-findings.ts';
import type { ActionInputs } from './inputs.ts';
import type { StepLog } from './step-log.ts';
import { appendSummary, endStep, warnOfUndone } from './write-outputs.ts';

/** Adds to the job's summary what a staged run would have written. */
export async function showStaged(staged: StagedWrites | undefined, log: StepLog): Promise<void> {
  if (staged === undefined) return;
  const { renderStaged } = await import('../src/reporting/report/render-staged.ts');
  await appendSummary(log, renderStaged(staged.list()));
}

/** Writes outputs and summary of a run to the job. */
export async function endWithRun(
  handled: Extract<Handled, { kind: 'run' }>,
  staged: StagedWrites | undefined,
  inputs: Pick<ActionInputs, 'share'>,
  log: StepLog,
): Promise<void> {
  const { outcome, plan, published, ledgerFile, reportFile, sarifFile, attestationFile, failure } = handled;
  // Nothing that a staged run names exists.
  const unmade = { commit: undefined, pull_request: undefined, comment: undefined };
  // Failures to post the report are not in the report.
  const untold = published.failures.filter((failure) => !published.report.includes(failure));
  warnOfUndone(log, published);
  const findings = findingsToList(outcome.findings, published.told);
  const summary = renderPostedSummary(published.report, findings, plan, untold);
  const named = (text: string) => staged?.withoutIds(text) ?? text;
  await endStep(log, {
    outcome,
    plan,
    published: staged === undefined ? published : { ...published, ...unmade },
    // A report of one failure is a warning already.
    report: published.failures.includes(published.report) ? '' : named(published.report),
    staged: staged !== undefined,
    // The report stands there among the comments.
    summary: staged?.hasText(published.report) ? '' : named(summary),
    // The ledger of a published run is in the job of its agent.
    executionFile: inputs.share === 'publish' ? '' : ledgerFile,
    reportFile,
    sarifFile,
    attestationFile,
    failure,
  });
  if (published.defect !== undefined) log.fail(published.defect);
}
