import * as z from 'zod';
import { Outcome } from '../../contract/outcome.ts';
import { RunPlan } from '../../contract/plan.ts';
import { Reviewed } from '../../contract/review-record.ts';
import { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ReviewPorts } from '../../reporting/posting/ports.ts';
import type { FinishedRun } from '../../run/finish-run.ts';

/** Replaces the plan of a delivery once all of it is done. */
const done = JSON.stringify({ done: true });

/** Reads the plan of a delivery: `done` once it was carried out, null without one. */
export async function storedPlan(deliveryId: string, store: StateStore): Promise<RunPlan | 'done' | null> {
  const text = await store.get(stateKeys.plan(deliveryId));
  if (text === null) return null;
  return text === done ? 'done' : RunPlan.parse(JSON.parse(text));
}

/** The scope of a review, for its publisher. Computed again, it would count as reviewed before. */
const Scope = z.object({
  reviewed: Reviewed.nullable(),
  renamed: z.array(z.tuple([z.string(), z.string()])),
  asked: z.array(z.string()).nullable(),
  unshown: z.array(z.string()).optional(),
  nothingNew: z.boolean(),
});

/** The stored scope of a review, with sets and maps. */
export type StoredScope = Pick<ReviewPorts, 'reviewed' | 'renamed' | 'asked' | 'unshown' | 'nothingNew'>;

/** A finished run with the scope of its review; null for any other run. */
export interface StoredRun {
  readonly finished: FinishedRun;
  readonly scope: StoredScope | null;
}

/** Stores a finished run until it is published. */
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
  await store.set(stateKeys.finished(plan.run_id), JSON.stringify({ ...finished, scope: storedScope }));
}

/** Reads the run that an earlier attempt could not publish. */
export async function storedRun(plan: RunPlan, store: StateStore): Promise<StoredRun | null> {
  const text = await store.get(stateKeys.finished(plan.run_id));
  if (text === null) return null;
  const { scope, ...finished } = StoredJson.parse(JSON.parse(text));
  if (scope === null) return { finished, scope };
  const { renamed, asked, unshown, ...plain } = scope;
  const sets = { renamed: new Map(renamed), asked: asked && new Set(asked) };
  return { finished, scope: { ...plain, ...sets, ...(unshown === undefined ? {} : { unshown }) } };
}

/** Marks a delivery as done: nothing more follows from it. */
export async function markDone(deliveryId: string, store: StateStore): Promise<void> {
  await store.set(stateKeys.plan(deliveryId), done);
}

/** Deletes a published run, and marks its delivery as done. */
export async function forgetRun(plan: RunPlan, deliveryId: string | null, store: StateStore): Promise<void> {
  if (deliveryId !== null) await markDone(deliveryId, store);
  await store.delete(stateKeys.finished(plan.run_id));
}

const StoredJson = z.object({
  outcome: Outcome,
  session: SavedSession.nullable(),
  stopped: SavedSession.nullable().default(null),
  folder: z.string(),
  ledgerFile: z.string(),
  scope: Scope.nullable().default(null),
});
