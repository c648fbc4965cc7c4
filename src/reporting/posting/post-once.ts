import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readApiFailure } from './api-failure.ts';

/** Turns off Octokit's retries for requests that create something: `postOnce` looks first. */
export const withoutRetries = { retries: 0 } as const;

/** Decides who creates one thing of a run, if several publishers are active or one died. */
export interface Claims {
  /** True for the one caller that may make the thing at that try, counted from 1. */
  readonly claim: (attempt: number) => Promise<boolean>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** The store of claims and the clock to wait with. */
interface ClaimPorts {
  readonly store: StateStore;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** The claims on one thing of a run, by a name that no other thing of the run has: `handoff-0`. */
export function claimsOn(
  what: string,
  plan: Pick<RunPlan, 'run_id'>,
  { store, wait = sleep }: ClaimPorts,
): Claims {
  return {
    claim: (attempt) =>
      store.claim(stateKeys.making(plan.run_id, `${what}/${attempt}`), new Date().toISOString()),
    wait,
  };
}

/** Forgets all claims of a published run: its posts are found on GitHub. */
export async function forgetClaims(plan: Pick<RunPlan, 'run_id'>, { store }: ClaimPorts): Promise<void> {
  for (const key of await store.list(stateKeys.making(plan.run_id, ''))) await store.delete(key);
}

/** Milliseconds between looks for a thing that another publisher claimed. */
const looks = [500, 1_500, 4_000] as const;
const mostTries = 10;

/**
 * Creates one thing on GitHub, once: claims it, looks for it, else creates it. If it is claimed
 * already, looks for some seconds before it claims the next try. A lost answer (broken connection,
 * 5xx) or a 422 may mean that it exists: looks again. Only after a lost answer, tries once more.
 */
export async function postOnce<Thing>(
  find: () => Promise<Thing | null>,
  make: () => Promise<Thing>,
  claims: Claims | null = null,
): Promise<Thing> {
  const existing = claims === null ? await find() : await claimAndFind(find, claims);
  if (existing !== null) return existing;
  try {
    return await make();
  } catch (error) {
    const status = readApiFailure(error)?.status ?? 0;
    if (status < 500 && status !== 422) throw error;
    // A request that timed out at a gateway may still succeed.
    if (status >= 500) await claims?.wait(looks[1]);
    const found = await find();
    if (found !== null) return found;
    if (status === 422) throw error;
    return make();
  }
}

/** Returns the thing if it exists or appears; null if it is ours to create. */
async function claimAndFind<Thing>(
  find: () => Promise<Thing | null>,
  { claim, wait }: Claims,
): Promise<Thing | null> {
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    const ours = await claim(attempt);
    const existing = await find();
    if (ours || existing !== null) return existing;
    for (const delay of looks) {
      await wait(delay);
      const found = await find();
      if (found !== null) return found;
    }
  }
  return null;
}
