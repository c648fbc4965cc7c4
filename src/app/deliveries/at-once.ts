import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { verbOf } from '../../contract/verbs.ts';
import { createOctokit } from '../../github/create-octokit.ts';
import { handleClick } from '../../pipeline/controls/handle-click.ts';
import { stopRuns } from '../../pipeline/controls/stop-runs.ts';
import { comesAfter, isOnThread, supersededBy } from '../../pipeline/controls/supersede.ts';
import { authorizeEvent } from '../../webhooks/authorize/authorize-event.ts';
import { saveEyes } from '../../webhooks/records/record-eyes.ts';
import { react } from '../../webhooks/replies/react.ts';
import { isCommentEdit } from '../../webhooks/triggers/comment-edited.ts';
import { findCandidate } from '../../webhooks/triggers/find-candidate.ts';
import { objectAt } from '../../webhooks/triggers/payload-reader.ts';
import type { DeliveryContext } from './delivery-context.ts';

/**
 * Acts on an event before its turn on the thread. Authorized requesters get 👀, and a run ends if it
 * is stopped or superseded. Errors are only logged.
 */
export async function actAtOnce(
  event: IncomingEvent,
  context: DeliveryContext,
  operatorConfig: Config,
): Promise<void> {
  try {
    await act(event, context, operatorConfig);
  } catch (err) {
    context.log.warn({ err, delivery: event.delivery_id }, 'No reaction was given.');
  }
}

async function act(event: IncomingEvent, context: DeliveryContext, operatorConfig: Config): Promise<void> {
  const { environment, tokenFor, store, ownLogin, log, runs, budget } = context;
  const candidate = findCandidate(event);
  if (candidate.kind === 'ignored') return;
  const isComment = objectAt(event.payload, 'comment') !== null;
  const busy = (await runs.list()).filter((run) => isOnThread(run, candidate));
  // Only comments can have reactions.
  if (!isComment && busy.length === 0) return;
  const octokitFor = async (purpose: 'read' | 'react') =>
    createOctokit({ apiUrl: environment.apiUrl, token: tokenFor(purpose), budget });
  const [reader, reactor] = await Promise.all([octokitFor('read'), octokitFor('react')]);
  if (isCommentEdit(event)) {
    const controls = { github: { reader, writer: reactor }, store, runs, ownLogin };
    if ((await handleClick(event, 'running', controls)).kind !== 'other') return;
  }
  const judged = await authorizeEvent(event, {
    octokit: reader,
    store,
    log: (message) => log.warn(message),
    settings: {
      ...{ host: 'app', ownLogins: [ownLogin], serverUrl: environment.serverUrl },
      ...{ overrides: {}, operatorConfig },
    },
  });
  if (judged.kind === 'ignored' || judged.authorization.kind === 'refused') return;
  const { trigger } = judged;
  const { delivery_id } = event;
  if (trigger.kind === 'stop') await stopRuns(trigger, context);
  if (judged.configError !== null) return;
  for (const run of busy.filter((one) => comesAfter(one, { at: trigger.at, delivery_id }))) {
    const reason = await supersededBy(trigger, run, store);
    if (reason !== null) await runs.stop(run.run_id, reason);
  }
  // Another answer may come first; the worker adds the reaction to the accepted one.
  const { does } = verbOf(trigger.kind);
  if (!isComment || does === 'tells' || (does === 'decides' && trigger.kind !== 'retry')) return;
  // Record again: the run may have ended meanwhile without finding a reaction to remove.
  await saveEyes(store, trigger, event.delivery_id);
  await react(reactor, trigger, 'eyes');
  await saveEyes(store, trigger, event.delivery_id);
}
