import type { IncomingEvent } from '../contract/event.ts';
import { append } from '../contract/lists.ts';
import type { RunPlan } from '../contract/plan.ts';
import { stateKeys } from '../contract/state-keys.ts';
import type { HiddenFinding } from '../contract/thread.ts';
import { verbOf } from '../contract/verbs.ts';
import { createOctokit } from '../github/create-octokit.ts';
import { resolveThreads } from '../reporting/findings/review-threads.ts';
import { publicCut } from '../reporting/text/public-text.ts';
import { removeEyes } from '../reporting/thread/reactions.ts';
import { newRunId } from '../run/records/run-context.ts';
import { sanitise } from '../untrusted-text/sanitise.ts';
import type { DecideContext } from '../webhooks/authorize/decide-context.ts';
import type { Trigger } from '../webhooks/commands/trigger.ts';
import { decideEvent, type EventDecision } from '../webhooks/decide-event.ts';
import type { DeliveryAttempt } from '../webhooks/deliveries/queue.ts';
import { saveEyes } from '../webhooks/records/record-eyes.ts';
import { postPendingRequest } from '../webhooks/replies/post-pending-request.ts';
import { postReply } from '../webhooks/replies/post-reply.ts';
import { react } from '../webhooks/replies/react.ts';
import { isCommentEdit } from '../webhooks/triggers/comment-edited.ts';
import { findCandidate } from '../webhooks/triggers/find-candidate.ts';
import { objectAt } from '../webhooks/triggers/payload-reader.ts';
import {
  decisionSettings,
  type EntryContext,
  type EventContext,
  type GitHubContext,
  openContext,
  withClients,
} from './context/broker-context.ts';
import { doctorFacts } from './context/collect-doctor-facts.ts';
import { openEvent } from './context/open-event.ts';
import { readOnlyDecision } from './context/read-only-decision.ts';
import type { RunResult } from './context/run-result.ts';
import { forgetRun, storedPlan } from './context/stored-run.ts';
import type { ClickResult } from './controls/handle-click.ts';
import { type OwnHead, ownHeadEvent, ownHeadOf } from './controls/own-head-event.ts';
import { withControls } from './controls/with-controls.ts';
import { executePlan } from './execute-plan.ts';
import { hiddenFrom } from './prepare/hidden-findings.ts';

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
  const { store, log, host } = context;
  const key = deliveryKey(event);
  const stored = key === null ? null : await storedPlan(key, store);
  if (stored === 'done') return { kind: 'none', decision: nothingToDo('it was done before') };
  const carryOn = async (plan: RunPlan): Promise<Handled> => {
    const executed = await execute(plan, key, attempt, context);
    await reviewOwnHead(ownHeadOf(plan, executed), event, attempt, eventContext);
    return executed;
  };
  if (stored !== null) return carryOn(stored);
  const clicked = await click(event, context);
  if (clicked.kind === 'done') return { kind: 'none', decision: nothingToDo(clicked.reason) };
  if (clicked.kind === 'apply') {
    const { applyOnClick } = await import('./controls/apply-on-click.ts');
    const { last: lastAttempt, signal } = attempt;
    const { reason, head } = await applyOnClick(event, clicked, { ...context, lastAttempt, signal });
    await reviewOwnHead(head, event, attempt, eventContext);
    return { kind: 'none', decision: { ...nothingToDo(reason), decision: 'act' } };
  }
  const decision = await decide(
    event,
    context,
    false,
    clicked.kind === 'retry' ? clicked.trigger : undefined,
  );
  if (clicked.kind === 'retry') await finishClick(clicked, decision);
  log.info({ delivery: event.delivery_id, event: event.name, decision: decision.decision }, decision.reason);
  const { plan, trigger } = decision;
  if (decision.act?.kind === 'commands')
    return carryOutCommands(decision.act.bodies, event, attempt, { decision, context: eventContext });
  if (plan === null) return carryOutDecision(event, decision, context);
  // The App adds 👀 to other requests when they arrive. Of several answers to a question only the
  // accepted one gets it, and of several commands each that runs.
  const adds = host === 'action' || plan.resume !== null || (event.part ?? 1) > 1;
  if (trigger !== null && adds) await addReaction(trigger, event, context);
  if (host === 'action') await closeBefore(plan, context);
  if (key !== null) await store.set(stateKeys.plan(key), JSON.stringify(plan));
  return carryOn(plan);
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
  if (head === null || context.host !== 'action' || attempt.signal.aborted) return;
  const { log, ownLogin } = context;
  try {
    const { writer: octokit } = withClients(context).github;
    const pushed = await ownHeadEvent(head, event, { octokit, ownLogin });
    await handleInRepository(pushed, attempt, context);
  } catch (err) {
    log.warn({ err }, 'The head that this run made could not be reviewed.');
  }
}

/** Returns the name of an event in our state; null for an event file. */
function deliveryKey({ delivery_id, part }: IncomingEvent): string | null {
  return delivery_id === null || part === undefined ? delivery_id : `${delivery_id}.${part}`;
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
  for (const [index, body] of bodies.entries()) {
    const key = objectAt(event.payload, 'comment') === null ? 'review' : 'comment';
    const payload = { ...event.payload, [key]: { ...objectAt(event.payload, key), body } };
    const handled = await handleInRepository({ ...event, payload, part: index + 1 }, attempt, context);
    if (handled.kind !== 'none') last = handled;
    if (attempt.signal.aborted) break;
  }
  return last;
}

/** Carries out a decision without a run: an action, a reply, or neither. */
async function carryOutDecision(
  event: IncomingEvent,
  decision: EventDecision,
  context: GitHubContext,
): Promise<Handled> {
  await act(decision, context);
  await answerRequester(event, decision, context);
  if (decision.done === true && decision.trigger !== null) await removeReaction(decision.trigger, context);
  return { kind: 'none', decision };
}

/** Handles a ticked box of our controls. There are none if stored state could be forged. */
async function click(event: IncomingEvent, context: GitHubContext): Promise<ClickResult> {
  if (!context.canAsk || !isCommentEdit(event)) return { kind: 'other' };
  const { handleClick } = await import('./controls/handle-click.ts');
  return handleClick(event, 'over', context);
}

/** Removes a control that was carried out; clears the box of any other. */
async function finishClick(
  { place }: Extract<ClickResult, { kind: 'retry' }>,
  { plan }: EventDecision,
): Promise<void> {
  if (plan === null) await place.restore();
  else await place.settle('retry', '', false);
}

const nothingToDo = (reason: string): EventDecision => ({
  decision: 'ignore',
  reason,
  trigger: null,
  plan: null,
  reply: { kind: 'none' },
});

function ofNoRepository(event: IncomingEvent): EventDecision {
  const candidate = findCandidate(event);
  return nothingToDo(candidate.kind === 'ignored' ? candidate.reason : 'it names no repository by its id');
}

/** Returns the decision of `handleEvent`, and writes nothing, not even to the state. */
export async function decideOnly(event: IncomingEvent, entry: EntryContext): Promise<EventDecision> {
  const context = await openEvent(event, entry);
  return context === null ? ofNoRepository(event) : decide(event, withClients(context), true);
}

async function decide(
  event: IncomingEvent,
  context: GitHubContext,
  dryRun: boolean,
  clicked?: Trigger,
): Promise<EventDecision> {
  const { ownLogin, store, log, apiUrl, github } = context;
  const hidden: HiddenFinding[] = [];
  // Users of the command line may lend their own token and ask like anyone else.
  const own = ownLogin.endsWith('[bot]') ? ownLogin : null;
  const ports: DecideContext = {
    octokit: github.reader,
    store,
    ...(clicked === undefined ? {} : { clicked }),
    sanitise: (text, origin) => {
      const clean = sanitise(text);
      if (origin !== undefined) append(hidden, hiddenFrom(text, clean.hidden, origin, own));
      return clean.text;
    },
    clock: () => new Date(),
    ids: { runId: () => newRunId('run'), sessionId: () => newRunId('sess') },
    log: (message) => log.warn(message),
    async checks() {
      const token = context.checksToken ?? context.readToken;
      // Fails here if the installation lacks the right.
      await token();
      return createOctokit({ apiUrl, token });
    },
    doctor: () => doctorFacts(context),
    settings: {
      ...decisionSettings(context),
      ownLogins: own === null ? [] : [own],
      sandbox: context.sandbox,
      dryRun,
    },
  };
  const decided = await decideEvent(event, ports).catch(async (error: unknown) => {
    const { decideDenied } = await import('../webhooks/decide-denied.ts');
    return decideDenied(event, error, ports);
  });
  const decision = context.readOnlyToken ? readOnlyDecision(decided) : decided;
  const { plan } = decision;
  if (plan === null || hidden.length === 0) return decision;
  return { ...decision, plan: { ...plan, hidden_text: hidden.slice(0, mostHidden) } };
}

/** Maximum reported parts of hidden text. */
const mostHidden = 50;

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

/** Acts without a run. A reaction replaces a comment that would say no more. */
async function act({ act: action, trigger }: EventDecision, context: GitHubContext): Promise<void> {
  if (action === undefined || action.kind === 'commands' || trigger === null) return;
  const octokit = context.github.writer;
  const store = context.canAsk ? context.store : null;
  const root = trigger.location === null ? null : (trigger.location.root_id ?? trigger.comment?.id ?? null);
  const plan = {
    repository: action.facts.repository,
    thread: { ...trigger.thread, title: action.facts.title },
  };
  const by = trigger.actor.login;
  if (action.kind === 'dismiss' && trigger.dismisses !== undefined && root !== null) {
    const { dismissFinding } = await import('../reporting/findings/dismiss-finding.ts');
    const { id } = trigger.dismisses;
    await dismissFinding({ plan, id, root, by, reason: trigger.text.trim() }, { octokit, store });
    return react(octokit, trigger, '+1');
  }
  const text = await resolveThreads({ plan, root, by }, { octokit, ownLogin: context.ownLogin, store });
  if (text === '') await react(octokit, trigger, '+1');
  else await postReply(octokit, trigger, { kind: 'comment', body: text });
}

/**
 * Maximum characters of a reply that lists commands or keys, or that gives the reason why nothing
 * is done.
 */
const longest = { replies: 30_000, refuses: 2_000 } as const;

async function answerRequester(
  event: IncomingEvent,
  { reply, trigger }: EventDecision,
  context: GitHubContext,
): Promise<void> {
  if (reply.kind === 'none' || trigger === null) return;
  // A repeated delivery is answered once.
  const name = deliveryKey(event);
  const key = name === null ? null : stateKeys.answered(name);
  if (key !== null && !(await context.store.claim(key, '1'))) return;
  const octokit = context.github.writer;
  const budget = longest[verbOf(trigger.kind).does === 'replies' ? 'replies' : 'refuses'];
  const own = [new URL(context.serverUrl).host];
  // A reply may quote a configuration key or a branch that a stranger named.
  const safe = reply.kind === 'comment' ? { ...reply, body: publicCut(reply.body, budget, '…', own) } : reply;
  try {
    if (safe.kind === 'pending') await postPendingRequest(octokit, trigger, safe, context.store);
    else await postReply(octokit, trigger, safe);
  } catch (error) {
    // The next attempt may answer.
    if (key !== null) await context.store.delete(key);
    throw error;
  }
}
