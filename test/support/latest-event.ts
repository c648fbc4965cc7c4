import type { IncomingEvent } from '../../src/contract/event.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { GitHub } from './github/start-github.ts';

/** The newest event of a name and action, as its delivery brings it; without an installation. */
export function latestEvent(
  github: GitHub,
  name: string,
  action: string,
  deliveryId: string | null,
): IncomingEvent {
  const payload = structuredClone(github.lastEventPayload(name, action)) as unknown as JsonObject;
  return { name, delivery_id: deliveryId, payload };
}
