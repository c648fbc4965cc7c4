import { appendFile } from 'node:fs/promises';
import * as core from '@actions/core';
import { runReport } from '../src/command-line/write-output.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import type { Published } from '../src/reporting/report/published.ts';
import type { StepLog } from './step-log.ts';

/** What a run leaves for the steps that follow. */
export interface RunOutputs {
  readonly outcome: Outcome;
  /** Null for a step of a workflow, which publishes nothing. */
  readonly published: Published | null;
  /** Markdown for the job's summary. */
  readonly summary: string;
  /** The file that holds the run in full: the output `execution_file`. */
  readonly executionFile: string;
  /** The run as one page of HTML, the output `report_file`; null where it could not be written. */
  readonly reportFile: string | null;
  /** The findings of a review, the output `sarif_file`; null for any other run. */
  readonly sarifFile: string | null;
}

/** Writes the outputs of `action.yml` and the job's summary; a failed run fails the step. */
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

/** GitHub docs, "Workflow commands": what is appended to this file becomes the job's summary. */
export async function appendSummary(markdown: string): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) await appendFile(file, markdown);
}
