import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import type { IncomingEvent } from '../contract/event.ts';
import { append } from '../contract/lists.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { HiddenFinding } from '../contract/thread.ts';
import { systemClock } from '../github/clock.ts';
import { createOctokit } from '../github/create-octokit.ts';
import { resolveThreads } from '../reporting/findings/resolve-threads.ts';
import { dismissControls, restoreBody, tellControls } from '../reporting/progress/controls-comment.ts';
import { publicCut } from '../reporting/text/public-text.ts';
import { removeEyes } from '../reporting/thread/remove-eyes.ts';
import { newRunId } from '../run/compose-run.ts';
import { sanitise } from '../untrusted-text/sanitise.ts';
import type { Trigger } from '../webhooks/commands/trigger.ts';
import { verbOf } from '../webhooks/commands/verbs.ts';
import { decideEvent, type EventDecision } from '../webhooks/decide-event.ts';
import type { DeliveryAttempt } from '../webhooks/deliveries/queue.ts';
import { keepEyes } from '../webhooks/records/record-eyes.ts';
import { postHeld } from '../webhooks/replies/post-held.ts';
import { postReply } from '../webhooks/replies/post-reply.ts';
import { react } from '../webhooks/replies/react.ts';
import { isCommentEdit } from '../webhooks/triggers/comment-edited.ts';
import { findCandidate } from '../webhooks/triggers/find-candidate.ts';
import { doctorFacts } from './context/collect-doctor-facts.ts';
import type { BrokenPlan, ExecutedPlan, QuietPlan } from './context/executed-plan.ts';
import { forgetRun, keptPlan, planKey, toldKey } from './context/kept-run.ts';
import { openEvent } from './context/open-event.ts';
import { usableConfig } from './context/plan-config.ts';
import type { EventPorts, WorkerPorts } from './context/worker-ports.ts';
import type { Pressed } from './controls/press-control.ts';
import { withControls } from './controls/with-controls.ts';
import { executePlan } from './execute-plan.ts';
import { hiddenFrom } from './prepare/known-hidden-text.ts';

/** What became of one event. */
export type Handled =
  | { readonly kind: 'none'; readonly decision: EventDecision }
  | ((ExecutedPlan | QuietPlan | BrokenPlan) & { readonly plan: RunPlan });

/**
 * From one event to everything that follows from it: decide, then run and publish, or reply. When the same
 * delivery is handled again after a crash, the plan of the first time holds, so that nothing is done twice.
 */
export async function handleEvent(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  worker: WorkerPorts,
): Promise<Handled> {
  const ports = await openEvent(event, worker);
  return ports === null
    ? { kind: 'none', decision: ofNoRepository(event) }
    : handleInRepository(event, attempt, ports);
}

/** The same, for an event whose repository's state is open. */
export async function handleInRepository(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  ports: EventPorts,
): Promise<Handled> {
  const kept = event.delivery_id === null ? null : await keptPlan(event.delivery_id, ports.store);
  if (kept === 'done') return { kind: 'none', decision: nothingToDo('it was done before') };
  if (kept !== null) return run(kept, attempt, ports);
  const pressed = await press(event, ports);
  if (pressed.kind === 'done') return { kind: 'none', decision: nothingToDo(pressed.reason) };
  if (pressed.kind === 'apply') {
    const { applyPressed } = await import('./controls/apply-pressed.ts');
    const octokit = await writingOctokit(ports);
    const { last: lastAttempt, signal } = attempt;
    const reason = await applyPressed(event, pressed, { ...ports, octokit, lastAttempt, signal });
    return { kind: 'none', decision: { ...nothingToDo(reason), decision: 'act' } };
  }
  const decision = await decide(event, ports, false, pressed.kind === 'retry' ? pressed.trigger : undefined);
  if (pressed.kind === 'retry') await settlePress(pressed, decision, ports);
  ports.log.info(
    { delivery: event.delivery_id, event: event.name, decision: decision.decision },
    decision.reason,
  );
  const { plan } = decision;
  if (plan === null) {
    await act(decision, ports);
    await answerAsker(event, decision, ports);
    if (decision.over === true && decision.trigger !== null) await takeSignBack(decision.trigger, ports);
    return { kind: 'none', decision };
  }
  const { trigger } = decision;
  // The App signs other requests as they come; of several answers to a question only the one taken up gets a sign.
  if (trigger !== null && (ports.host === 'action' || plan.resume !== null))
    await giveSign(trigger, event, ports);
  if (ports.host === 'action') await closeBefore(plan, ports);
  if (event.delivery_id !== null) await ports.store.set(planKey(event.delivery_id), JSON.stringify(plan));
  return run(plan, attempt, ports);
}

/** What a box of our controls, ticked in a comment, comes to; where what is kept could have been forged, there are none. */
async function press(event: IncomingEvent, ports: EventPorts): Promise<Pressed> {
  const { runs, store, ownLogin, apiUrl } = ports;
  if (!ports.canAsk || !isCommentEdit(event)) return { kind: 'other' };
  const { pressControl } = await import('./controls/press-control.ts');
  const reader = createOctokit({ apiUrl, token: ports.readToken });
  const writer = await writingOctokit(ports);
  const hands = runs === undefined ? {} : { runs };
  return pressControl(event, 'over', { reader, writer, store, ownLogin, ...hands });
}

/** A control that did what it says goes; else its box is empty again. */
async function settlePress(
  { controls, trigger }: Extract<Pressed, { kind: 'retry' }>,
  { plan }: EventDecision,
  ports: EventPorts,
): Promise<void> {
  const octokit = await writingOctokit(ports);
  const { repository } = trigger;
  const left = controls.boxes.map(({ does }) => does).filter((does) => does !== 'retry');
  if (plan === null) await restoreBody(octokit, repository, controls);
  else if (left.length > 0)
    await tellControls(controls, '', left, repository, { octokit, store: ports.store });
  else await dismissControls(controls, repository, { octokit, store: ports.store });
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

/** The decision on an event as `handleEvent` would come to it, with nothing written, not even to the state. */
export async function decideOnly(event: IncomingEvent, worker: WorkerPorts): Promise<EventDecision> {
  const ports = await openEvent(event, worker);
  return ports === null ? ofNoRepository(event) : decide(event, ports, true);
}

async function decide(
  event: IncomingEvent,
  ports: EventPorts,
  dryRun: boolean,
  pressed?: Trigger,
): Promise<EventDecision> {
  const hidden: HiddenFinding[] = [];
  // A person who lends their own token to the command line may ask like anybody else.
  const own = ports.ownLogin.endsWith('[bot]') ? ports.ownLogin : null;
  const decision = await decideEvent(event, {
    octokit: createOctokit({ apiUrl: ports.apiUrl, token: ports.readToken }),
    store: ports.store,
    ...(pressed === undefined ? {} : { pressed }),
    sanitise: (text, origin) => {
      const clean = sanitise(text);
      if (origin !== undefined) append(hidden, hiddenFrom(text, clean.hidden, origin, own));
      return clean.text;
    },
    clock: () => new Date(),
    ids: { runId: () => newRunId('run'), sessionId: () => newRunId('sess') },
    log: (message) => ports.log.warn(message),
    async checks() {
      const token = ports.checksToken ?? ports.readToken;
      // Fails here where the installation has no such right.
      await token();
      return createOctokit({ apiUrl: ports.apiUrl, token });
    },
    doctor: () => doctorFacts(ports),
    settings: {
      host: ports.host,
      ownLogins: own === null ? [] : [own],
      serverUrl: ports.serverUrl,
      overrides: ports.overrides,
      operatorConfig: ports.operatorConfig,
      sandbox: ports.sandbox,
      dryRun,
    },
  });
  const { plan } = decision;
  if (plan === null || hidden.length === 0) return decision;
  return { ...decision, plan: { ...plan, hidden_text: hidden.slice(0, mostHidden) } };
}

/** More parts of hidden text than anyone reads about. */
const mostHidden = 50;

async function run(plan: RunPlan, attempt: DeliveryAttempt, ports: EventPorts): Promise<Handled> {
  const hand = ports.runs?.take(plan);
  const again = attempt.attempt === 1 ? '' : `-${attempt.attempt}`;
  const execute = () =>
    executePlan(plan, {
      ...ports,
      signal: hand === undefined ? attempt.signal : AbortSignal.any([attempt.signal, hand.signal]),
      lastAttempt: attempt.last,
      triedWhileDown: !attempt.lastWhileDown,
      runsFolder: path.join(ports.runsFolder, `attempt${again}`),
      checkoutsFolder: path.join(ports.checkoutsFolder, `attempt${again}`),
    });
  const octokit = () => writingOctokit(ports);
  const stoppable = hand !== undefined;
  const controlled = () =>
    withControls(
      plan,
      usableConfig(plan, ports),
      { ...ports, octokit, clock: systemClock, stoppable },
      execute,
    );
  // Where what is kept could have been forged, no box would count.
  const executed = await (stoppable || ports.canAsk ? controlled() : execute()).finally(() =>
    hand?.release(),
  );
  await forgetRun(plan, plan.source.delivery_id, ports.store);
  return { ...executed, plan };
}

async function writingOctokit({ apiUrl, writeToken, budget }: EventPorts): Promise<Octokit> {
  return createOctokit({ apiUrl, token: writeToken, budget });
}

/** A job of a workflow finds nothing kept of the jobs before it, so it looks on the thread. */
async function closeBefore(plan: RunPlan, ports: EventPorts): Promise<void> {
  const { closeEndedJobs } = await import('./finish/close-ended-jobs.ts');
  const { store, ownLogin, log } = ports;
  await closeEndedJobs(plan, { store, ownLogin, log, octokit: await writingOctokit(ports) });
}

/** 👀 for whoever asked. One that cannot be given is logged, no more. */
async function giveSign(trigger: Trigger, { delivery_id }: IncomingEvent, ports: EventPorts): Promise<void> {
  try {
    await keepEyes(ports.store, trigger, delivery_id);
    await react(await writingOctokit(ports), trigger, 'eyes');
  } catch (err) {
    ports.log.warn({ err }, 'No reaction was given.');
  }
}

async function takeSignBack({ repository, comment }: Trigger, ports: EventPorts): Promise<void> {
  try {
    const at = { repository, trigger_comment: comment };
    await removeEyes(at, { ...ports, octokit: await writingOctokit(ports) });
  } catch (err) {
    ports.log.warn({ err }, 'The reaction could not be taken away.');
  }
}

/** What is done without a run. A sign tells of it where words would say no more. */
async function act({ act: order, trigger }: EventDecision, ports: EventPorts): Promise<void> {
  if (order === undefined || trigger === null) return;
  const octokit = await writingOctokit(ports);
  const root = trigger.location === null ? null : (trigger.location.root_id ?? trigger.comment?.id ?? null);
  const said = await resolveThreads(
    {
      plan: { repository: order.place.repository, thread: { ...trigger.thread, title: order.place.title } },
      root,
      by: trigger.actor.login,
    },
    { octokit, ownLogin: ports.ownLogin, store: ports.canAsk ? ports.store : null },
  );
  if (said === '') await react(octokit, trigger, '+1');
  else await postReply(octokit, trigger, { kind: 'comment', body: said });
}

/** Longer than any list of commands or keys; and what is enough to say why nothing is done. */
const longest = { tells: 30_000, refuses: 2_000 } as const;

async function answerAsker(
  event: IncomingEvent,
  { reply, trigger }: EventDecision,
  ports: EventPorts,
): Promise<void> {
  if (reply.kind === 'none' || trigger === null) return;
  // A delivery that is handled again, for whatever reason, is answered once.
  const key = event.delivery_id === null ? null : toldKey(event.delivery_id);
  if (key !== null && !(await ports.store.claim(key, '1'))) return;
  const octokit = await writingOctokit(ports);
  const room = longest[verbOf(trigger.kind).does === 'tells' ? 'tells' : 'refuses'];
  const own = [new URL(ports.serverUrl).host];
  // It may quote a key of the configuration or a branch, which anybody may have named.
  const safe = reply.kind === 'comment' ? { ...reply, body: publicCut(reply.body, room, '…', own) } : reply;
  try {
    if (safe.kind === 'held') await postHeld(octokit, trigger, safe, ports.store);
    else await postReply(octokit, trigger, safe);
  } catch (error) {
    // The next attempt may tell it.
    if (key !== null) await ports.store.delete(key);
    throw error;
  }
}
