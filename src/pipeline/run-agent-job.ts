import type { IncomingEvent } from '../contract/event.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { FinishedRun } from '../run/finish-run.ts';
import { run } from '../run/run.ts';
import type { EventDecision } from '../webhooks/decide-event.ts';
import {
  type BrokerContext,
  type EntryContext,
  type GitHubContext,
  openContext,
  runContextOf,
  withClients,
} from './context/broker-context.ts';
import { openEvent } from './context/open-event.ts';
import type { FailedRun, SkippedRun } from './context/run-result.ts';
import { decideOnEvent, eventsOfCommands, ofNoRepository } from './decide-on-event.ts';
import { explainFailure } from './finish/finish.ts';
import { reportRun } from './finish/report-run.ts';
import { prepare } from './prepare/prepare.ts';
import { saveSarif } from './publish/review-sarif.ts';

/** A run that another job publishes. */
interface UnpublishedRun {
  readonly kind: 'run';
  readonly plan: RunPlan;
  readonly finished: FinishedRun;
  readonly reportFile: string | null;
  readonly sarifFile: string | null;
}

/** The result of the agent's job. */
export type AgentJobResult =
  | { readonly kind: 'none'; readonly decision: EventDecision }
  | SkippedRun
  /** `message` is a sentence for the thread. */
  | (FailedRun & { readonly message: string })
  | UnpublishedRun;

/**
 * Decides on an event and runs the first plan that it starts. Writes nothing to GitHub, so that a
 * token that only reads is enough. Replies, actions and any further plan are for the job that
 * publishes, which decides again. `entry` has the share `agent`.
 */
export async function runAgentJob(
  event: IncomingEvent,
  signal: AbortSignal,
  entry: EntryContext,
): Promise<AgentJobResult> {
  const opened = await openEvent(event, entry);
  if (opened === null) return { kind: 'none', decision: ofNoRepository(event) };
  const github = withClients(opened);
  const decision = await firstPlan(event, github);
  const { plan } = decision;
  if (plan === null) return { kind: 'none', decision };
  await github.beforeRun?.(plan);
  const attempt = { attempt: 1, last: true, lastWhileDown: true };
  const context = withoutApprovals(openContext(plan, attempt, signal, github));
  const prepared = await prepare(plan, context);
  if (prepared.kind === 'skipped') return prepared;
  try {
    if (prepared.kind === 'unprepared') return failed(prepared.failure.error, plan, context);
    const finished = await run(prepared.input, runContextOf(context));
    const { outcome, ledgerFile } = finished;
    const reported = { ledgerFile, outcome, published: null };
    const reportFile = await reportRun(await prepared.reportedPlan(), reported, context);
    const { checkout, pullRequestDiff: diff } = prepared;
    const sources = { diff, git: checkout.git, config: context.config };
    const sarifFile = await saveSarif(context.sarifFile, { outcome, told: undefined }, plan, sources);
    return { kind: 'run', plan, finished, reportFile, sarifFile };
  } catch (error) {
    return failed(error, plan, context);
  } finally {
    await prepared.release();
  }
}

/** Decides on an event; of several commands in one comment, the first that starts a run. */
async function firstPlan(event: IncomingEvent, context: GitHubContext): Promise<EventDecision> {
  const decision = await decideOnEvent(event, context, true);
  if (decision.act?.kind !== 'commands') return decision;
  for (const command of eventsOfCommands(decision.act.bodies, event)) {
    const one = await decideOnEvent(command, context, true);
    if (one.plan !== null) return one;
  }
  return decision;
}

/**
 * Has calls that need approval refused and listed. The job that publishes could not check that the
 * call of a session is the one that a person is shown.
 */
function withoutApprovals(context: BrokerContext): BrokerContext {
  const { onAsk: _, ...permissions } = context.config.permissions ?? {};
  return { ...context, config: { ...context.config, permissions } };
}

/** Keys that the error may quote are redacted: the job that publishes does not know them. */
function failed(error: unknown, plan: RunPlan, { posting }: BrokerContext): AgentJobResult {
  return { kind: 'failed', error, message: posting.redact(explainFailure(error, plan).message) };
}
