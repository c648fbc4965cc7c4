import type { RunPlan } from '../../contract/plan.ts';
import { isReview } from '../../contract/work-of.ts';
import { beginsWithMarker, readMarker } from '../../reporting/text/marker.ts';
import { isSilent } from '../prepare/review-scope.ts';

/**
 * A workflow job's claim on a thread: the progress comment of its run. The ids of comments give the
 * order.
 */
export interface TurnClaim {
  readonly id: number;
  readonly workflowRun: number;
  readonly attempt: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** State of a workflow run; null if the token may not read it. */
export type WorkflowRunState = { readonly isOver: boolean; readonly attempt: number } | null;

/** Writes the name of a claim, which the marker of its comment has. */
export const turnOf = (workflowRun: number, attempt: number): string => `${workflowRun}.${attempt}`;

/** Reads the claim in a comment of ours; null without one. */
export function claimIn(comment: {
  readonly id: number;
  readonly body?: string | undefined;
  readonly updated_at: string;
}): TurnClaim | null {
  const { id, body, updated_at: updatedAt } = comment;
  if (!beginsWithMarker(body, 'progress')) return null;
  const [, run, attempt] = /^(\d+)\.(\d+)$/.exec(readMarker(body, 'progress')?.turn ?? '') ?? [];
  if (run === undefined || attempt === undefined) return null;
  return { id, workflowRun: Number(run), attempt: Number(attempt), updatedAt };
}

/** Removes the claim from the body of a comment. */
export function withoutClaim(body: string): string {
  return body.replace(/^(<!-- anode:progress v1 [^>]*?) turn=[^\s>]*/, '$1');
}

/**
 * Returns true for a plan that claims its thread. Reviews that nobody requested, and verbs without
 * a progress comment, only wait for the claims of others: they push nothing.
 */
export function claimsThread(plan: RunPlan): boolean {
  const isUnrequested = isReview(plan) && plan.trigger_comment === null;
  return plan.thread !== null && !isUnrequested && !isSilent(plan);
}

/**
 * Returns the claims that a job waits for, the oldest first. `own` is its own claim; null for a job
 * without one, which waits for all. Pure.
 */
export function claimsBefore(claims: readonly TurnClaim[], own: number | null): TurnClaim[] {
  return claims.filter(({ id }) => own === null || id < own).toSorted((a, b) => a.id - b.id);
}

/** Milliseconds without an edit after which an unreadable workflow run counts as over. */
const longestSilenceMs = 30 * 60 * 1000;

/**
 * Returns true if a job still holds its claim. A later attempt at a workflow run ended the earlier.
 * Pure; `now` is in milliseconds since 1970.
 */
export function isHeld(claim: TurnClaim, state: WorkflowRunState, now: number): boolean {
  if (state === null) return now - Date.parse(claim.updatedAt) < longestSilenceMs;
  return !state.isOver && state.attempt <= claim.attempt;
}

/** Milliseconds before the next look: from 2 seconds, doubled up to half a minute. */
export const turnWaitMs = (looks: number): number => Math.min(2_000 * 2 ** looks, 30_000);
