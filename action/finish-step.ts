import path from 'node:path';
import { reportRun } from '../src/pipeline/finish/report-run.ts';
import { decideFailure } from '../src/reporting/findings/decide-failure.ts';
import { renderSummary } from '../src/reporting/report/render-summary.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import type { FinishedStep } from './run-step.ts';
import type { StepLog } from './step-log.ts';
import { endStep } from './write-outputs.ts';

/** Writes the report, the SARIF file, the outputs and the summary of a step with a prompt. */
export async function finishStep(
  { finished, plan, failOn }: FinishedStep,
  { job, inputs }: { readonly job: Job; readonly inputs: ActionInputs },
  { environment, log }: { readonly environment: NodeJS.ProcessEnv; readonly log: StepLog },
): Promise<void> {
  const { outcome, folder, ledgerFile } = finished;
  const published = { issues: [], downgrades: [], failures: [], patch: outcome.changes.patch };
  const reportFile = await reportRun(
    plan,
    { ledgerFile, outcome, published: null },
    {
      environment: { ...environment, GITHUB_TOKEN: inputs.githubToken },
      operatorConfig: {},
      log: { info: () => undefined, warn: (_, message) => log.warning(message) },
      runUrl: job.runUrl,
    },
  );
  const sarifFile =
    plan.profile === 'review'
      ? await (await import('./step-sarif.ts')).stepSarif(outcome, job, inputs)
      : null;
  const summarised = { plan, runUrl: job.runUrl, published, findings: outcome.findings, carried: 0 };
  await endStep(log, {
    outcome,
    plan,
    published: null,
    summary: renderSummary(outcome, summarised),
    executionFile: path.join(folder, 'ledger.jsonl'),
    reportFile,
    sarifFile,
    attestationFile: null,
    failure: decideFailure(outcome.findings, failOn),
  });
}
