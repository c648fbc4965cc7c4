import type { IncomingEvent } from '../contract/event.ts';
import type { RunPlan } from '../contract/plan.ts';
import { stateKeys } from '../contract/state-keys.ts';
import { removeEyes } from '../reporting/thread/reactions.ts';
import type { Trigger } from '../webhooks/commands/trigger.ts';
import type { EventDecision } from '../webhooks/decide-event.ts';
import type { DeliveryAttempt } from '../webhooks/deliveries/queue.ts';
import { saveEyes } from '../webhooks/records/record-eyes.ts';
import { react } from '../webhooks/replies/react.ts';
import { isCommentEdit } from '../webhooks/triggers/comment-edited.ts';
import { isClosing, isMerge } from '../webhooks/triggers/payload-reader.ts';
import { reviewedPull } from '../webhooks/triggers/reviewed-pull.ts';
import {
  deliveryKey,
  type EntryContext,
  type EventContext,
  type GitHubContext,
  openContext,
  withClients,
} from './context/broker-context.ts';
import { openEvent } from './context/open-event.ts';
import type { RunResult } from './context/run-result.ts';
import { forgetRun, storedPlan } from './context/stored-run.ts';
import type { Turn } from './context/turn.ts';
import { answerRequester } from './controls/answer-requester.ts';
import type { ClickResult } from './controls/handle-click.ts';
import { type OwnHead, ownHeadEvent, ownHeadOf } from './controls/own-head-event.ts';
import { withControls } from './controls/with-controls.ts';
import { decideOnEvent, eventsOfCommands, nothingToDo, ofNoRepository } from './decide-on-event.ts';
import { executePlan } from './execute-plan.ts';
import { logFailure } from './finish/finish.ts';

/** The result of one event. */
export type Handled =
  | { readonly kind: 'none'; readonly decision: EventDecision }
  | (RunResult & { readonly plan: RunPlan });

/**
 * Handles one event: decides, then runs and publishes, or replies. A delivery that is handled again
 * after a crash keeps its first plan, so nothing is done twice.
 */
export async function handleEvent(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  entry: EntryContext,
): Promise<Handled> {
  const context = await openEvent(event, entry);
  return context === null
    ? { kind: 'none', decision: ofNoRepository(event) }
    : handleInRepository(event, attempt, context);
}

/** Handles an event whose repository's state is open. */
export async function handleInRepository(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  eventContext: EventContext,
): Promise<Handled> {
  const context = withClients(eventContext);
  const { store, log } = context;
  const key = deliveryKey(event);
  const stored = key === null ? null : await storedPlan(key, store);
  if (stored === 'done') return { kind: 'none', decision: nothingToDo('it was done before') };
  const carryOn = async (plan: RunPlan): Promise<Handled> => {
    const executed = await execute(plan, key, attempt, context);
    await reviewOwnHead(ownHeadOf(plan, executed), event, attempt, eventContext);
    return executed;
  };
  if (stored !== null) return carryOn(stored);
  await checkCommits(event, context);
  const clicked = await click(event, context);
  if (clicked.kind === 'done') return { kind: 'none', decision: nothingToDo(clicked.reason) };
  if (clicked.kind === 'apply') {
    const { applyOnClick } = await import('./controls/apply-on-click.ts');
    const { last: lastAttempt, signal } = attempt;
    const { reason, head } = await applyOnClick(event, clicked, { ...context, lastAttempt, signal });
    await reviewOwnHead(head, event, attempt, eventContext);
    return { kind: 'none', decision: { ...nothingToDo(reason), decision: 'act' } };
  }
  const decision = await decideOnEvent(
    event,
    context,
    false,
    clicked.kind === 'retry' ? clicked.trigger : undefined,
  );
  log.info({ delivery: event.delivery_id, event: event.name, decision: decision.decision }, decision.reason);
  const { plan } = decision;
  if (decision.act?.kind === 'commands')
    return carryOutCommands(decision.act.bodies, event, attempt, { decision, context: eventContext });
  if (plan === null) {
    if (clicked.kind === 'retry') await clicked.place.restore();
    return carryOutDecision(event, decision, context);
  }
  const turn = await takeTurn(plan, event, decision, context);
  if (turn.kind === 'ended') return skipped(plan, turn);
  // The run before may have changed the head, or answered the question.
  if (turn.kind === 'waited') return handleInRepository(event, attempt, eventContext);
  if (clicked.kind === 'retry') await settleRetry(clicked);
  if (key !== null) await store.set(stateKeys.plan(key), JSON.stringify(plan));
  return carryOn(await atHead(turn.plan, context));
}

/** Shows the requester that the request was seen, and waits for its turn on the thread. */
async function takeTurn(
  plan: RunPlan,
  event: IncomingEvent,
  { trigger }: EventDecision,
  context: GitHubContext,
): Promise<Turn> {
  const { host, share, turns } = context;
  // The App adds 👀 to other requests when they arrive. Of several answers to a question only the
  // accepted one gets it, and of several commands each that runs.
  const adds = host === 'action' || plan.resume !== null || (event.part ?? 1) > 1;
  // A job that only publishes ends at once, and would take it away again.
  if (trigger !== null && adds && share === undefined) await addReaction(trigger, event, context);
  if (host === 'action') await closeBefore(plan, context);
  return turns === undefined ? { kind: 'now', plan } : turns.take(plan, context);
}

const skipped = (plan: RunPlan, { reason, failed }: Extract<Turn, { kind: 'ended' }>): Handled => ({
  ...{ kind: 'skipped', plan, reason },
  failure: failed ? reason : null,
});

/** Reports on commits of runs, where the configuration asks for it. */
async function checkCommits(event: IncomingEvent, context: GitHubContext): Promise<void> {
  if (reviewedPull(event) === null || context.share?.kind === 'agent') return;
  const { checkAgentCommits } = await import('./agent-commits/check-agent-commits.ts');
  await checkAgentCommits(event, context);
}

/**
 * Handles a head of ours like a push by a person. Only in a workflow: the App gets an event of it.
 * An error is only logged, since the run that made it is published.
 */
async function reviewOwnHead(
  head: OwnHead | null,
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  context: EventContext,
): Promise<void> {
  const { log, ownLogin, host, share, staged } = context;
  if (head === null || host !== 'action' || attempt.signal.aborted) return;
  // The head of a staged run does not exist.
  if (staged !== undefined) return;
  try {
    const own = withClients(context);
    const pushed = await ownHeadEvent(head, event, { octokit: own.github.writer, ownLogin });
    // A job that only publishes runs no agent and no linter.
    if (share !== undefined) return await checkCommits(pushed, own);
    const handled = await handleInRepository(pushed, attempt, context);
    if (handled.kind === 'failed') logFailure(handled.error, handled.plan, log);
  } catch (err) {
    log.warn({ err }, 'The head that this run made could not be reviewed.');
  }
}

/**
 * Carries out the commands of one comment in order, each on the head that the one before left.
 * Returns the last run; without one, the decision on all.
 */
async function carryOutCommands(
  bodies: readonly string[],
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  { decision, context }: { readonly decision: EventDecision; readonly context: EventContext },
): Promise<Handled> {
  let last: Handled = { kind: 'none', decision };
  for (const command of eventsOfCommands(bodies, event)) {
    const handled = await handleInRepository(command, attempt, context);
    // The job ends with the last run only.
    if (handled.kind !== 'none' && last.kind === 'failed' && context.host === 'action')
      logFailure(last.error, last.plan, context.log);
    if (handled.kind !== 'none') last = handled;
    if (attempt.signal.aborted) break;
  }
  return last;
}

const merged = 'a merged pull request is only told in its summary what of it is still open';

/** Carries out a decision without a run: an action, a reply, or neither. */
async function carryOutDecision(
  event: IncomingEvent,
  decision: EventDecision,
  context: GitHubContext,
): Promise<Handled> {
  const { act, trigger } = decision;
  let { reason } = decision;
  const isDropped = await context.turns?.drop(context);
  if (act !== undefined && act.kind !== 'commands' && trigger !== null) {
    const { actWithoutRun } = await import('./controls/act-without-run.ts');
    reason = (await actWithoutRun(act, trigger, event.delivery_id, context)) || reason;
  }
  if (isClosing(event)) {
    const { recordResults } = await import('./controls/record-results.ts');
    await recordResults(event, context);
  }
  if (isMerge(event)) {
    const { tellMerge } = await import('./controls/tell-merge.ts');
    if (await tellMerge(event, context)) reason = merged;
  }
  await answerRequester(event, decision, context);
  if ((decision.done === true || isDropped) && trigger !== null) await removeReaction(trigger, context);
  return { kind: 'none', decision: { ...decision, reason } };
}

/** Handles a ticked box of our controls. There are none if stored state could be forged. */
async function click(event: IncomingEvent, context: GitHubContext): Promise<ClickResult> {
  if (!context.canAsk || !isCommentEdit(event)) return { kind: 'other' };
  const { handleClick } = await import('./controls/handle-click.ts');
  return handleClick(event, 'over', context);
}

/** Removes a box whose request is carried out. */
async function settleRetry({ place, runs }: Extract<ClickResult, { kind: 'retry' }>): Promise<void> {
  await place.settle({ does: 'retry', runs, keeps: false }, '');
}

async function execute(
  plan: RunPlan,
  key: string | null,
  attempt: DeliveryAttempt,
  event: GitHubContext,
): Promise<Extract<Handled, { plan: RunPlan }>> {
  await event.beforeRun?.(plan);
  const active = event.runs?.take(plan);
  const signal = active === undefined ? attempt.signal : AbortSignal.any([attempt.signal, active.signal]);
  const context = openContext(plan, attempt, signal, event);
  const carryOut = () => executePlan(plan, context);
  // No box counts if stored state could be forged.
  const controlled = active !== undefined || context.canAsk;
  const executed = await (controlled ? withControls(plan, context, carryOut) : carryOut()).finally(() =>
    active?.release(),
  );
  await forgetRun(plan, key, event.store);
  return { ...executed, plan };
}

/** Returns a plan at the commit that its run worked on, if another job ran it. */
async function atHead(plan: RunPlan, context: GitHubContext): Promise<RunPlan> {
  if (context.share === undefined) return plan;
  const { atHandedHead } = await import('./publish/at-handed-head.ts');
  return atHandedHead(plan, context);
}

/** Closes what earlier jobs left open on the thread: a workflow job has no state of them. */
async function closeBefore(plan: RunPlan, context: GitHubContext): Promise<void> {
  const { closeAbandonedJobs } = await import('./finish/close-abandoned-jobs.ts');
  await closeAbandonedJobs(plan, context);
}

/** Adds 👀 to the request. An error is only logged. */
async function addReaction(
  trigger: Trigger,
  { delivery_id }: IncomingEvent,
  context: GitHubContext,
): Promise<void> {
  try {
    await saveEyes(context.store, trigger, delivery_id);
    await react(context.github.writer, trigger, 'eyes');
  } catch (err) {
    context.log.warn({ err }, 'No reaction was given.');
  }
}

async function removeReaction({ repository, comment }: Trigger, context: GitHubContext): Promise<void> {
  try {
    const at = { repository, trigger_comment: comment };
    await removeEyes(at, { ...context, octokit: context.github.writer });
  } catch (err) {
    context.log.warn({ err }, 'The reaction could not be taken away.');
  }
}
