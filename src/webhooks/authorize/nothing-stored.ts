import type { EventSettings } from './authorize-event.ts';

/** Names what a workflow lacks whose jobs store nothing. */
export const needsStateSecret =
  'This workflow stores nothing between its jobs: that takes the input `state_secret`';

/** Adds to a reply on something that is not stored what its workflow lacks for it. */
export function withoutState(reply: string, { host, isStored = true }: EventSettings): string {
  return host !== 'action' || isStored ? reply : `${reply} ${needsStateSecret}.`;
}
