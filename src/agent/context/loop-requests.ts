import type { ConversationPort } from '../../tools/tool.ts';

/**
 * Requests of a run's tools to the loop that called them. Each run has one object; the loop reads
 * it between two turns.
 */
export interface LoopRequests {
  /**
   * Set where the run is to end well after this turn's results, with this answer; null: with the
   * last text of the model.
   */
  finished: { readonly answer: string | null } | null;
  /**
   * Set if older turns must be summarised before the next request. `instructions`: what the summary
   * must preserve.
   */
  compact: { readonly instructions: string | null } | null;
  /** The loop's report of itself. Null before it begins. */
  state: Omit<ConversationPort, 'compact'> | null;
}

/** Returns the requests of a new run. */
export function noRequests(): LoopRequests {
  return { finished: null, compact: null, state: null };
}

/** The conversation as the tools see it; null while there is none. */
export function conversationPort(requests: LoopRequests): ConversationPort | null {
  const { state } = requests;
  if (state === null) return null;
  return {
    ...state,
    compact(instructions) {
      requests.compact = { instructions };
    },
  };
}
