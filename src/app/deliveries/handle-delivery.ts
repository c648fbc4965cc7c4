import type { IncomingEvent } from '../../contract/event.ts';
import { handleInRepository } from '../../pipeline/worker.ts';
import type { DeliveryAttempt } from '../../webhooks/deliveries/queue.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type DeliveryOptions, deliveryEventContext } from './delivery-event-context.ts';

/**
 * Handles a queued delivery of the App, with tokens for its repository only. Failures inside a run
 * are reported on the thread and not retried; earlier ones are retried.
 */
export async function handleDelivery(
  event: IncomingEvent,
  attempt: DeliveryAttempt,
  context: DeliveryContext,
  options: DeliveryOptions,
): Promise<void> {
  await handleInRepository(event, attempt, deliveryEventContext(context, options));
}
