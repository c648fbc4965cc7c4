import * as z from 'zod';
import { Outcome } from '../../contract/outcome.ts';
import { RunPlan } from '../../contract/plan.ts';
import { Reviewed } from '../../contract/review-record.ts';
import { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ReviewPorts } from '../../reporting/posting/ports.ts';
import type { FinishedRun } from '../../run/finish-run.ts';

/** The keys of a delivery's plan, and of its answer. */
export const planKey = (deliveryId: string): string => `plan/${deliveryId}`;
export const answeredKey = (deliveryId: string): string => `told/${deliveryId}`;

/** Kept in place of the plan of a delivery once all of it is done. */
const done = JSON.stringify({ done: true });

/** The plan that a delivery came to; `done` once it was carried out to its end, null where it came to none yet. */
export async function storedPlan(deliveryId: string, store: StateStore): Promise<RunPlan | 'done' | null> {
  const text = await store.get(planKey(deliveryId));
  if (text === null) return null;
  return text === done ? 'done' : RunPlan.parse(JSON.parse(text));
}

/** The key of a finished run that is not published yet. */
export const finishedKey = (plan: Pick<RunPlan, 'run_id'>): string => `finished/${plan.run_id}`;

/** What a review looked at, as far as its publisher has to know: afterwards it would count as reviewed before. */
const Scope = z.object({
  reviewed: Reviewed.nullable(),
  renamed: z.array(z.tuple([z.string(), z.string()])),
  asked: z.array(z.string()).nullable(),
  unshown: z.array(z.string()).optional(),
  nothingNew: z.boolean(),
});

/** The stored scope of a review, with sets and maps. */
export type StoredScope = Pick<ReviewPorts, 'reviewed' | 'renamed' | 'asked' | 'unshown' | 'nothingNew'>;

/** A run that ended, with what its review looked at; null where it was none. */
export interface StoredRun {
  readonly finished: FinishedRun;
  readonly scope: StoredScope | null;
}

/** Keeps a run that ended until it is published. */
export async function storeRun(
  plan: RunPlan,
  { finished, scope }: StoredRun,
  store: StateStore,
): Promise<void> {
  const { reviewed, renamed, asked, unshown, nothingNew } = scope ?? {};
  const storedScope = scope && {
    reviewed,
    renamed: [...(renamed ?? [])],
    asked: asked && [...asked],
    unshown,
    nothingNew,
  };
  await store.set(finishedKey(plan), JSON.stringify({ ...finished, scope: storedScope }));
}

/** The run as an earlier attempt left it when it could not publish. */
export async function storedRun(plan: RunPlan, store: StateStore): Promise<StoredRun | null> {
  const text = await store.get(finishedKey(plan));
  if (text === null) return null;
  const { scope, ...finished } = StoredJson.parse(JSON.parse(text));
  if (scope === null) return { finished, scope };
  const { renamed, asked, unshown, ...plain } = scope;
  const sets = { renamed: new Map(renamed), asked: asked && new Set(asked) };
  return { finished, scope: { ...plain, ...sets, ...(unshown === undefined ? {} : { unshown }) } };
}

/** Forgets it, and that the delivery has anything left to do, once all is published. */
export async function forgetRun(plan: RunPlan, deliveryId: string | null, store: StateStore): Promise<void> {
  if (deliveryId !== null) await store.set(planKey(deliveryId), done);
  await store.delete(finishedKey(plan));
}

const StoredJson = z.object({
  outcome: Outcome,
  session: SavedSession.nullable(),
  stopped: SavedSession.nullable().default(null),
  folder: z.string(),
  ledgerFile: z.string(),
  scope: Scope.nullable().default(null),
});
