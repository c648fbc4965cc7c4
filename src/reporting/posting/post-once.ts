import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readApiFailure } from './api-failure.ts';

/** For requests that make something: Octokit must not send them again, as `postOnce` looks first. */
export const withoutRetries = { retries: 0 } as const;

/** Who may make one thing of one run, when several publishers of it are at work, or one died at it. */
export interface Claims {
  /** True for the one caller that may make the thing at that try, counted from 1. */
  readonly claim: (attempt: number) => Promise<boolean>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** What claims are kept in, and waited for with. */
interface ClaimPorts {
  readonly store: StateStore;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Below what is kept of the making of a run's things, until it is published. */
export const claimKey = (runId: string): string => `making/${runId}/`;

/** The claims on one thing of a run, by a name that no other thing of the run has: `handoff-0`. */
export function claimsOn(
  what: string,
  plan: Pick<RunPlan, 'run_id'>,
  { store, wait = sleep }: ClaimPorts,
): Claims {
  return {
    claim: (attempt) => store.claim(`${claimKey(plan.run_id)}${what}/${attempt}`, new Date().toISOString()),
    wait,
  };
}

/** Forgets all claims of a run that is published: what stands is found by looking. */
export async function forgetClaims(plan: Pick<RunPlan, 'run_id'>, { store }: ClaimPorts): Promise<void> {
  for (const key of await store.list(claimKey(plan.run_id))) await store.delete(key);
}

/** How long a thing is waited for that somebody else claimed, in milliseconds between two looks. */
const looks = [500, 1_500, 4_000] as const;
const mostTries = 10;

/**
 * Makes one thing on GitHub, once: claims it, looks for it, and else makes it. Where it is claimed already, another publisher is
 * at it or died at it, or GitHub's lists are behind: looks for some seconds before it claims the next try.
 * When the answer to making it was lost (a broken connection, a 5xx) or says that it is there (422), it may be there
 * nevertheless: looks again, before the one further try that a 422 does not get.
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
    // What a gateway gave up on may come to be there yet.
    if (status >= 500) await claims?.wait(looks[1]);
    const found = await find();
    if (found !== null) return found;
    if (status === 422) throw error;
    return make();
  }
}

/** What is there, or comes to be there while it is another's to make; null when it is ours to make. */
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
