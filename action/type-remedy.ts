import { events } from '../src/webhooks/triggers/events.ts';
import { threadEvent } from './workflow-events.ts';

/**
 * Returns what to set where the type of an event has no meaning for us: the types that have one.
 * Null for a type that may start a run.
 */
export function typeRemedy(name: string, action: string | null): string | null {
  const known = threadEvent(name);
  const types = Object.keys(events).flatMap((key) =>
    key.startsWith(`${known}.`) ? [key.slice(known.length + 1)] : [],
  );
  if (action === null || types.includes(action)) return null;
  return `Without the input \`prompt\`, ${name} starts a run for the types: ${types.join(', ')}.`;
}
