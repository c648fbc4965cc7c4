/** The runs of one session around a run, as far as their records are at hand. */
export interface RunChain {
  /** The request of the session's first run; null where its record is gone. */
  readonly request: string | null;
  /** The run that this one goes on from; null for the first. */
  readonly earlier: { readonly run_id: string; readonly question: string | null } | null;
  /** The run that went on from this one; null for none. */
  readonly later: { readonly run_id: string; readonly words: string } | null;
}
