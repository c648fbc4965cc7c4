import { appendFile } from 'node:fs/promises';
import * as core from '@actions/core';
import { runReport } from '../src/command-line/write-output.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import type { Published } from '../src/reporting/report/published.ts';
import type { StepLog } from './step-log.ts';

/** Outputs of a run for later steps. */
export interface RunOutputs {
  readonly outcome: Outcome;
  /** Null for a workflow step, which publishes nothing. */
  readonly published: Published | null;
  /** Markdown for the job's summary. */
  readonly summary: string;
  /** Full record of the run: the output `execution_file`. */
  readonly executionFile: string;
  /** HTML report: the output `report_file`; null if it could not be written. */
  readonly reportFile: string | null;
  /** Findings of a review: the output `sarif_file`; null for any other run. */
  readonly sarifFile: string | null;
}

/** Writes the outputs of `action.yml` and the job's summary; fails the step after a failed run. */
export async function writeOutputs(
  log: StepLog,
  { outcome, published, summary, executionFile, reportFile, sarifFile }: RunOutputs,
): Promise<void> {
  await appendSummary(summary);
  core.setOutput('execution_file', executionFile);
  core.setOutput('report_file', reportFile ?? '');
  if (sarifFile !== null) core.setOutput('sarif_file', sarifFile);
  core.setOutput('conclusion', outcome.conclusion);
  core.setOutput('answer', outcome.answer);
  core.setOutput('run_id', outcome.run_id);
  core.setOutput('session_id', outcome.session_id);
  core.setOutput('structured_output', JSON.stringify(runReport(outcome, null)));
  core.setOutput('branch_name', published?.commit?.branch ?? '');
  core.setOutput('pull_request', published?.pull_request?.number ?? '');
  if (outcome.conclusion === 'failure') log.fail(outcome.stop?.message ?? 'The run failed.');
}

/** Appends to the job's summary (GitHub docs, "Workflow commands"). */
export async function appendSummary(markdown: string): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) await appendFile(file, markdown);
}
