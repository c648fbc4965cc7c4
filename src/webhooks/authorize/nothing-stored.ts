import type { EventSettings } from './authorize-event.ts';

/** What a workflow lacks whose jobs store nothing between them. */
export const needsStateSecret =
  'This workflow stores nothing between its jobs: that takes the input `state_secret`';

/** Adds to a reply that something is not stored why it cannot be, if the workflow stores nothing. */
export function withoutState(reply: string, { host, isStored = true }: EventSettings): string {
  return host !== 'action' || isStored ? reply : `${reply} ${needsStateSecret}.`;
}
