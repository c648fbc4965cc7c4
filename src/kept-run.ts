import * as z from 'zod';
import type { FinishedRun } from './compose/finish-run.ts';
import { Outcome } from './contract/outcome.ts';
import type { RunPlan } from './contract/plan.ts';
import { SavedSession, type StateStore } from './contract/session.ts';

/** Where the plan is kept that a delivery came to, and that it was answered. */
export const planKey = (deliveryId: string): string => `plan/${deliveryId}`;
export const toldKey = (deliveryId: string): string => `told/${deliveryId}`;

/** Where a run that ended is kept until it is published. */
export const finishedKey = (plan: Pick<RunPlan, 'run_id'>): string => `finished/${plan.run_id}`;

/** The run as an earlier attempt left it when it could not publish. */
export async function keptRun(plan: RunPlan, store: StateStore): Promise<FinishedRun | null> {
  const text = await store.get(finishedKey(plan));
  return text === null ? null : KeptRun.parse(JSON.parse(text));
}

const KeptRun = z.object({
  outcome: Outcome,
  session: SavedSession.nullable(),
  stopped: SavedSession.nullable().default(null),
  folder: z.string(),
  ledgerFile: z.string(),
});
