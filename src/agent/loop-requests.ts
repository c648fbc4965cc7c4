/**
 * What the tools of a run ask of the loop that called them. One object a run, main or child; the loop looks at it between two
 * turns.
 */
export interface LoopRequests {
  /** Set where the run is to end well after this turn's results, with this answer; null: with the last text of the model. */
  finished: { readonly answer: string | null } | null;
}

/** Of a run that was asked for nothing yet. */
export function noRequests(): LoopRequests {
  return { finished: null };
}
