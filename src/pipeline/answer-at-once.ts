import type { IncomingEvent } from '../contract/event.ts';
import type { EventRequest } from '../webhooks/authorize/authorize-event.ts';
import { decideAtOnce } from '../webhooks/decide-event.ts';
import { deliveryKey, type EventContext, withClients } from './context/broker-context.ts';
import { markDone } from './context/stored-run.ts';
import { answerRequester } from './controls/answer-requester.ts';
import { decisionPorts } from './decide-on-event.ts';

/**
 * Answers a request that starts nothing while a run works on its thread, instead of in its turn.
 * Returns false for any other request.
 */
export async function answerAtOnce(
  event: IncomingEvent,
  request: EventRequest,
  eventContext: EventContext,
): Promise<boolean> {
  const context = withClients(eventContext);
  const decision = await decideAtOnce(request, decisionPorts(context, false, []));
  if (decision === null) return false;
  await answerRequester(event, decision, context);
  const { delivery_id: delivery } = event;
  const key = deliveryKey(event);
  if (key !== null) await markDone(key, context.store);
  context.log.info({ delivery, event: event.name, decision: decision.decision }, decision.reason);
  return true;
}
