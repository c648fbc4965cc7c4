import type { ContextBounds } from '../../config/context-settings.ts';

/** What a conversation is held against, all in tokens. */
export interface ContextRoom {
  /** What the model takes. */
  readonly window: number;
  /** Above this room is made. */
  readonly full: number;
  /** Down to this, where it is made little by little: so that what providers cache rarely changes. */
  readonly roomy: number;
  /** The newest part, which is left as it is wherever that is possible. */
  readonly recent: number;
}

/** Of a small window no more than this share is kept as recent: else there would be nothing left to make room of. */
const recentShare = 0.4;
/** What is filled afterwards, of what may be: 70 % of a window of which 85 % may. */
const roomyShare = 0.7 / 0.85;

/** The bounds of a model's window by the configuration. */
export function contextRoom(window: number, bounds: ContextBounds): ContextRoom {
  const { compactPercent, reserveTokens, keepRecent } = bounds;
  // A reserve as large as the window would leave no room at all.
  const full = compactPercent === -1 ? Math.max(window - reserveTokens, window / 2) : window * compactPercent;
  return {
    window,
    full: Math.floor(full),
    roomy: Math.floor(full * roomyShare),
    recent: Math.floor(Math.min(keepRecent, full * recentShare)),
  };
}
