import type { IncomingEvent } from '../src/contract/event.ts';
import type { HandedRun } from '../src/contract/handed-run.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { type AgentJobResult, runAgentJob } from '../src/pipeline/run-agent-job.ts';
import { renderSummary } from '../src/reporting/report/render-summary.ts';
import { handedPlace, leaveHandedRun } from './handed-artifact.ts';
import type { Job } from './job.ts';
import type { StepLog } from './step-log.ts';
import { endStep, endWithoutRun, noRun } from './write-outputs.ts';

/**
 * Runs the agent for an event, and leaves its result as an artifact for the job that publishes.
 * `entry` has the share `agent`.
 */
export async function runAgentStep(
  event: IncomingEvent,
  { job, log, signal }: { readonly job: Job; readonly log: StepLog; readonly signal: AbortSignal },
  entry: EntryContext,
): Promise<void> {
  const result = await runAgentJob(event, signal, entry);
  if (result.kind === 'none') {
    if (result.decision.fails === true) return endWithoutRun(log, 'failure', result.decision.reason);
    const words = `${noRun(result.decision.reason)} The publishing job answers if it has to.`;
    return endWithoutRun(log, result.decision.decision === 'refuse' ? 'refused' : 'skipped', words);
  }
  if (result.kind === 'skipped') return endWithoutRun(log, 'skipped', result.reason);
  const handed = handedFrom(result, job);
  // A job that may only read has nothing that could be published.
  const handedOn = entry.readOnlyToken !== true;
  if (handedOn) await leaveHandedRun(handed, job);
  if (result.kind === 'failed') {
    await endWithoutRun(log, 'failure', result.message);
    return;
  }
  const { plan, finished, reportFile, sarifFile } = result;
  const { outcome, ledgerFile } = finished;
  const published = { issues: [], downgrades: [], failures: [], patch: outcome.changes.patch, handedOn };
  const findings = { findings: outcome.findings, carried: 0 };
  await endStep(log, {
    ...{ outcome, plan, published: null, failure: null, executionFile: ledgerFile, reportFile, sarifFile },
    attestationFile: null,
    summary: renderSummary(outcome, { plan, runUrl: job.runUrl, published, ...findings }),
  });
}

function handedFrom(result: Extract<AgentJobResult, { kind: 'run' | 'failed' }>, job: Job): HandedRun {
  const place = handedPlace(job);
  if (result.kind === 'failed') return { ...place, kind: 'failure', message: result.message.slice(0, 2_000) };
  const { plan, finished } = result;
  const { outcome, session, stopped = null } = finished;
  const changes = { ...outcome.changes, files: [] };
  const head = plan.checkout.sha;
  return { ...place, kind: 'run', head, outcome: { ...outcome, changes }, session, stopped };
}
