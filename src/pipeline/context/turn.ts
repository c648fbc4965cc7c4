import type { RunPlan } from '../../contract/plan.ts';

/** The turn of a run on its thread. */
export type Turn =
  /** It is its turn. The plan has the mark of the claim. */
  | { readonly kind: 'now'; readonly plan: RunPlan }
  /** Another run worked on the thread until now, so the event has to be decided on again. */
  | { readonly kind: 'waited' }
  /** Its turn never came, as the thread was told. */
  | { readonly kind: 'ended'; readonly reason: string; readonly failed: boolean };

/** The turns of an entry point without a queue. */
export interface ThreadTurns<Context> {
  take(plan: RunPlan, context: Context): Promise<Turn>;
  drop(context: Context): Promise<boolean>;
}
