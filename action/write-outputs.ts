import { appendFile } from 'node:fs/promises';
import { setOutput } from '@actions/core';
import type { ActionOutput } from '../src/contract/action-outputs.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import type { RunPlan } from '../src/contract/plan.ts';
import { isReview } from '../src/contract/work-of.ts';
import type { Published } from '../src/reporting/report/published.ts';
import { renderLogLine, withoutLinks } from '../src/reporting/report/render-log-line.ts';
import { findingsToList } from '../src/reporting/review/fold-findings.ts';
import { sentence } from '../src/reporting/text/markdown.ts';
import type { StepLog } from './step-log.ts';

/** A finished run and what it left for later steps. */
export interface RunOutputs {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  /** Null for a workflow step, which publishes nothing. */
  readonly published: Published | null;
  /** Markdown for the job's summary. */
  readonly summary: string;
  /** Markdown that begins with how the run ended. Default: `summary`. */
  readonly report?: string;
  /** Full record of the run: the output `execution_file`. */
  readonly executionFile: string;
  /** HTML report: the output `report_path`; null if it could not be written. */
  readonly reportFile: string | null;
  /** Findings of a review: the output `sarif_file`; null for any other run. */
  readonly sarifFile: string | null;
  /** Attestation of the run's commit: the output `attestation`; null without one. */
  readonly attestationFile: string | null;
  /** True if the run only showed what it would have written. Default: false. */
  readonly staged?: boolean;
  /** Why open findings fail the step; null if they do not. */
  readonly failure: string | null;
}

/**
 * Writes the outputs of `action.yml` and the job's summary, and ends the log with what was done.
 * Fails the step after a failed run, and for findings of the severity that `fail_on` names.
 */
export async function endStep(log: StepLog, run: RunOutputs): Promise<void> {
  await appendSummary(log, run.summary);
  writeOutputs(log, run);
  const { conclusion, stop } = run.outcome;
  const failure = conclusion === 'failure' ? (stop?.detail ?? stop?.message ?? 'The run failed.') : '';
  const told = conclusion === 'failure' ? stop?.message : undefined;
  const line = renderLogLine(run.report ?? run.summary, run.outcome, told);
  if (line !== '') log.print(run.staged ? `Staged, so that nothing of this is on GitHub: ${line}` : line);
  if (failure !== '') log.fail(failure);
  else if (run.failure !== null) log.fail(run.failure);
}

function writeOutputs(log: StepLog, run: RunOutputs): void {
  const { outcome, plan, published, executionFile, reportFile } = run;
  const open = findingsToList(outcome.findings, published?.told);
  set(log, {
    conclusion: outcome.conclusion,
    run_id: outcome.run_id,
    session_id: outcome.session_id,
    branch_name: published?.commit?.branch ?? '',
    pr_number: published?.pull_request?.number ?? '',
    comment_id: published?.comment?.id ?? '',
    findings_count: isReview(plan) ? open.length : '',
    // A sum of floating-point numbers; a price has no more places.
    cost_usd: outcome.cost_usd === null ? '' : Number(outcome.cost_usd.toFixed(6)),
    needs_input: outcome.conclusion === 'waiting',
    final_message: outcome.answer || (outcome.stop?.message ?? ''),
    structured_output: outcome.structured === undefined ? '' : JSON.stringify(outcome.structured),
    execution_file: executionFile,
    report_path: reportFile ?? '',
    sarif_file: run.sarifFile ?? '',
    attestation: run.attestationFile ?? '',
  });
}

/** Says why no run was started. A reason is a sentence, or the part of one after a colon. */
export const noRun = (reason: string): string =>
  `No run was started${/^\p{Lu}/u.test(reason) ? '.' : ':'} ${sentence(reason)}`;

/**
 * Tells in log and summary why a step has no run, and sets its outputs: it was skipped or refused,
 * or it failed before one. `known` is false for a failure that only the log explains.
 */
export async function endWithoutRun(
  log: StepLog,
  conclusion: 'skipped' | 'refused' | 'failure',
  reason: string,
  known = true,
): Promise<void> {
  if (conclusion === 'failure') log.fail(reason);
  else log.notice(reason);
  set(log, { conclusion, needs_input: false, final_message: reason });
  const { renderEnd, renderReason } = await import('../src/reporting/report/render-end.ts');
  const isFailed = conclusion === 'failure';
  const text = isFailed ? renderEnd({ kind: 'failed', message: reason, known }, null) : renderReason(reason);
  await appendSummary(log, `${text}\n`);
}

type Outputs = Readonly<Partial<Record<ActionOutput, string | number | boolean>>>;

/**
 * Displays what of a run could not be done: the report says it, which nobody opens for a green job.
 * A reason that ends the log is left out.
 */
export function warnOfUndone(log: StepLog, { commit, withheld, downgrades, failures }: Published): void {
  const weaker = commit === undefined ? downgrades.filter((text) => text !== withheld) : [];
  for (const text of new Set([...weaker, ...failures])) log.warning(withoutLinks(text));
}

/** Sets outputs. A text may quote a file or an error, so each is redacted. */
function set({ redact }: StepLog, outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs))
    setOutput(name, typeof value === 'string' ? redact(value) : value);
}

/** Appends to the job's summary (GitHub Docs, "Workflow commands"), without secrets. */
export async function appendSummary({ redact }: StepLog, markdown: string): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) await appendFile(file, redact(markdown));
}
