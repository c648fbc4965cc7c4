import type { IncomingEvent } from '../src/contract/event.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { type Handled, handleEvent } from '../src/pipeline/worker.ts';
import { dismissedRootOf } from '../src/webhooks/triggers/dismissed-root.ts';
import { findCandidate } from '../src/webhooks/triggers/find-candidate.ts';
import { isMerge, stringAt } from '../src/webhooks/triggers/payload-reader.ts';
import { endWithRun, showStaged } from './end-run.ts';
import { forkBuildNotice, forkReviewEvent, isForkRun } from './fork-review-event.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import { actionsLogin, portsOf, readOwnLogin, type StepSurroundings, stagedWrites } from './job-ports.ts';
import { openThreadState } from './open-thread-state.ts';
import { hasNoSecrets } from './secretless-job.ts';
import type { StepLog } from './step-log.ts';
import { typeRemedy } from './type-remedy.ts';
import { withTurns } from './with-turns.ts';
import { checkPromptless, threadEvent } from './workflow-events.ts';
import { appendSummary, endWithoutRun, noRun } from './write-outputs.ts';

/**
 * Returns the account of the job's token, whose name is a mention too. Does not ask for talk that
 * addresses no one.
 */
async function ownLoginFor(
  event: IncomingEvent,
  job: Job,
  { githubToken }: Pick<ActionInputs, 'githubToken'>,
  canAsk: boolean,
): Promise<string> {
  const candidate = findCandidate(event);
  const isTalk = candidate.kind === 'ignored' || (candidate.silent && dismissedRootOf(event) === null);
  return isTalk && !canAsk ? actionsLogin : readOwnLogin(job, githubToken);
}

const withoutSecrets =
  'GitHub gives the job of a fork, or of Dependabot, no secrets and a token that only reads. ' +
  'The pull request is reviewed by the checks without a model, and the result is in the job’s summary.';

/**
 * Handles a workflow without a prompt: the triggering event decides, and the result goes to its
 * thread. A separate module, since a step with a prompt needs none of it.
 */
export async function runEvent(
  job: Job,
  inputs: ActionInputs,
  surroundings: StepSurroundings,
): Promise<void> {
  const { signal, log } = surroundings;
  const notice = inputs.mode === 'auto' ? forkBuildNotice(job) : null;
  if (notice !== null) {
    log.notice(notice);
    await appendSummary(log, `${notice}\n\n`);
  }
  const event = await eventOf(job, inputs);
  if ('reason' in event) {
    return endWithoutRun(log, 'skipped', noRun(event.reason));
  }
  const shared = await shareOf(job, inputs);
  const { share } = shared;
  const hasSecrets = !hasNoSecrets(job, surroundings.environment);
  if (!hasSecrets) log.notice(withoutSecrets);
  // The result of a fork's checks is in the job of the agent.
  if (!hasSecrets && share?.kind === 'publish' && share.handed === null) return;
  const thread = await openThreadState({ event, job, inputs, log });
  const ownLogin = await ownLoginFor(event, job, inputs, thread.canAsk);
  // The publishing job never has the key of a model.
  const readOnlyToken = !hasSecrets && share?.kind !== 'publish';
  const staged = inputs.staged ? await stagedWrites(job, ownLogin) : {};
  const found = { thread, ownLogin, readOnlyToken };
  const settings = { ...portsOf(job, inputs, surroundings, found), ...shared, ...staged };
  if (share?.kind === 'agent') {
    const { runAgentStep } = await import('./run-agent-step.ts');
    return runAgentStep(event, { job, log, signal }, settings);
  }
  const writes = !readOnlyToken && !inputs.staged;
  const turn = writes ? withTurns(settings, { job, thread, signal, log }) : null;
  const attempt = { attempt: 1, last: true, lastWhileDown: true, signal };
  const handled = await handleEvent(event, attempt, turn?.entry ?? settings)
    .finally(() => thread.leave())
    .finally(() => showStaged(settings.staged, log));
  await turn?.end();
  if (handled.kind === 'failed') throw handled.error;
  if (handled.kind === 'none' || handled.kind === 'skipped') return endUnstarted(handled, job, log);
  await endWithRun(handled, settings.staged, inputs, log);
}

/** Returns what a job needs that does one share of the work; nothing for a job that does all. */
async function shareOf(
  job: Job,
  { share, githubToken: token }: ActionInputs,
): Promise<Pick<EntryContext, 'share' | 'ids' | 'beforeRun'>> {
  if (share === null) return {};
  const { firstRunId, handedPlace, idsOf, readHandedRun } = await import('./handed-artifact.ts');
  const here = handedPlace(job);
  if (share === 'agent') return { share: { kind: share }, ids: idsOf(here) };
  const handed = await readHandedRun(createOctokit({ apiUrl: job.apiUrl, token }), job);
  const place = handed ?? here;
  return {
    share: { kind: share, runId: firstRunId(place), handed },
    ids: idsOf(place),
    // Nothing runs here that needs a sandbox.
    beforeRun: async () => undefined,
  };
}

/** Returns the event as the App would get it, or why it starts nothing. */
async function eventOf(
  job: Job,
  { githubToken: token, mode }: ActionInputs,
): Promise<IncomingEvent | { readonly reason: string }> {
  const octokit = createOctokit({ apiUrl: job.apiUrl, token });
  if (mode !== 'issue' && isForkRun(job)) return forkReviewEvent(job, octokit);
  if (mode === 'review' || mode === 'issue') {
    const { eventOfMode } = await import('./mode-event.ts');
    return eventOfMode(mode, job, octokit);
  }
  checkPromptless(job.eventName);
  return { name: threadEvent(job.eventName), delivery_id: null, payload: job.payload };
}

/** Tells why nothing was run. */
async function endUnstarted(
  handled: Extract<Handled, { kind: 'none' | 'skipped' }>,
  { eventName, payload }: Job,
  log: StepLog,
): Promise<void> {
  if (handled.kind === 'skipped') {
    await endWithoutRun(log, 'skipped', handled.reason);
    if (handled.failure) log.fail(handled.failure);
    return;
  }
  const { decision, reason, fails = false } = handled.decision;
  if (fails) return endWithoutRun(log, 'failure', reason);
  const isTold = isMerge({ name: threadEvent(eventName), delivery_id: null, payload });
  const remedy = isTold ? null : typeRemedy(eventName, stringAt(payload, 'action'));
  const words = [noRun(reason), remedy].filter((text) => text !== null).join(' ');
  await endWithoutRun(log, decision === 'refuse' ? 'refused' : 'skipped', words);
}
