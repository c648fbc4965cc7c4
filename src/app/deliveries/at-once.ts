import { ownSecrets } from '../../config/secret-values.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { verbOf } from '../../contract/verbs.ts';
import { createOctokit } from '../../github/create-octokit.ts';
import { handleClick } from '../../pipeline/controls/handle-click.ts';
import { stopRuns } from '../../pipeline/controls/stop-runs.ts';
import { comesAfter, isOnThread, supersededBy } from '../../pipeline/controls/supersede.ts';
import { createRedactor } from '../../redaction/redact.ts';
import { authorizeEvent, type EventRequest } from '../../webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { saveEyes } from '../../webhooks/records/record-eyes.ts';
import { react } from '../../webhooks/replies/react.ts';
import { isCommentEdit } from '../../webhooks/triggers/comment-edited.ts';
import { findCandidate } from '../../webhooks/triggers/find-candidate.ts';
import { objectAt } from '../../webhooks/triggers/payload-reader.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { DeliveryOptions } from './delivery-event-context.ts';

/**
 * Acts on an event before its turn on the thread. Authorized requesters get 👀, and a run ends if
 * it is stopped or superseded. A reply that no run can change is given while one works. Errors are
 * only logged: the event's turn is still to come.
 */
export async function actAtOnce(
  event: IncomingEvent,
  context: DeliveryContext,
  own: DeliveryOptions,
): Promise<void> {
  try {
    await act(event, context, own);
  } catch (err) {
    context.log.warn({ err, delivery: event.delivery_id }, 'No reaction was given.');
  }
}

async function act(event: IncomingEvent, context: DeliveryContext, own: DeliveryOptions): Promise<void> {
  const { environment, tokenFor, store, ownLogin, log, runs, budget } = context;
  const candidate = findCandidate(event);
  if (candidate.kind === 'ignored') return;
  const isComment = objectAt(event.payload, 'comment') !== null;
  const busy = (await runs.list()).filter((run) => isOnThread(run, candidate));
  // Only comments can have reactions.
  if (!isComment && busy.length === 0) return;
  const posting = { budget, redact: createRedactor(ownSecrets(own)) };
  const octokitFor = (purpose: 'read' | 'react') =>
    createOctokit({ apiUrl: environment.apiUrl, token: tokenFor(purpose), posting });
  const [reader, reactor] = [octokitFor('read'), octokitFor('react')];
  if (isCommentEdit(event)) {
    const controls = { github: { reader, writer: reactor }, store, runs, ownLogin };
    if ((await handleClick(event, 'running', controls)).kind !== 'other') return;
  }
  const request = await authorizeEvent(event, {
    octokit: reader,
    store,
    log: (message) => log.warn(message),
    settings: {
      ...{ host: 'app', ownLogins: [ownLogin], serverUrl: environment.serverUrl },
      ...{ overrides: {}, operatorConfig: own.operatorConfig },
    },
  });
  if (request.kind === 'ignored') return;
  if (busy.length > 0 && (await answer(event, request, context, own))) return;
  if (request.authorization.kind === 'refused') return;
  await stopAffected(event, request, busy, context);
  const { trigger, configError } = request;
  if (configError !== null || !isComment || !getsReaction(trigger)) return;
  const { delivery_id } = event;
  await saveEyes(store, trigger, delivery_id);
  await react(reactor, trigger, 'eyes');
  // Record again: the run may have ended without finding a reaction to remove.
  await saveEyes(store, trigger, delivery_id);
}

/** Stops runs that the request stops or supersedes. */
async function stopAffected(
  { delivery_id }: IncomingEvent,
  { trigger, configError }: EventRequest,
  busy: readonly RunPlan[],
  context: DeliveryContext,
): Promise<void> {
  const { runs, store } = context;
  if (trigger.kind === 'stop') await stopRuns(trigger, context);
  if (configError !== null) return;
  for (const run of busy.filter((one) => comesAfter(one, { at: trigger.at, delivery_id }))) {
    const reason = await supersededBy(trigger, run, store);
    if (reason !== null) await runs.stop(run.run_id, reason);
  }
}

/** Answers a request that starts nothing; returns false for any other. */
async function answer(
  event: IncomingEvent,
  request: EventRequest,
  context: DeliveryContext,
  own: DeliveryOptions,
): Promise<boolean> {
  const { answerAtOnce } = await import('../../pipeline/answer-at-once.ts');
  const { deliveryEventContext } = await import('./delivery-event-context.ts');
  const writeToken = context.tokenFor('react');
  return answerAtOnce(event, request, { ...deliveryEventContext(context, own), writeToken });
}

/** Returns true for a request that will be accepted. Another answer may come before this one. */
function getsReaction({ kind }: Trigger): boolean {
  const { does } = verbOf(kind);
  return kind === 'retry' || (does !== 'replies' && does !== 'decides');
}
