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
  /** True for a review that nobody requested, for which only such reviews wait. */
  readonly isReview: boolean;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** State of a workflow run; null if the token may not read it. */
export type WorkflowRunState = { readonly isOver: boolean; readonly attempt: number } | null;

/** Writes the name of a plan's claim, which the marker of its comment has. */
export const turnOf = (plan: RunPlan, workflowRun: number, attempt: number): string =>
  `${workflowRun}.${attempt}${isUnrequested(plan) ? '.review' : ''}`;

/** Reads the claim in a comment of ours; null without one. */
export function claimIn(comment: {
  readonly id: number;
  readonly body?: string | undefined;
  readonly updated_at: string;
}): TurnClaim | null {
  const { id, body, updated_at: updatedAt } = comment;
  if (!beginsWithMarker(body, 'progress')) return null;
  const [, run, attempt, review] =
    /^(\d+)\.(\d+)(\.review)?$/.exec(readMarker(body, 'progress')?.turn ?? '') ?? [];
  if (run === undefined || attempt === undefined) return null;
  const isReview = review !== undefined;
  return { id, workflowRun: Number(run), attempt: Number(attempt), isReview, updatedAt };
}

/** Removes the claim from the body of a comment. */
export function withoutClaim(body: string): string {
  return body.replace(/^(<!-- anode:progress v1 [^>]*?) turn=[^\s>]*/, '$1');
}

/** True for a review that nobody requested. It pushes nothing. */
export const isUnrequested = (plan: RunPlan): boolean => isReview(plan) && plan.trigger_comment === null;

/**
 * Returns true for a plan that claims its thread, which takes a progress comment. A review that
 * nobody requested has one only if the pull request has no summary of ours.
 */
export function claimsThread(plan: RunPlan, hasSummary: boolean): boolean {
  return plan.thread !== null && !isSilent(plan) && !(isUnrequested(plan) && hasSummary);
}

/**
 * Returns the claims that the job of a plan waits for, the oldest first. `own` is its own claim;
 * null for a job without one, which waits for all. Requests do not wait for a review that nobody
 * requested. Pure.
 */
export function claimsBefore(claims: readonly TurnClaim[], own: number | null, plan: RunPlan): TurnClaim[] {
  return claims
    .filter(({ id, isReview: ofReview }) => (own === null || id < own) && (!ofReview || isUnrequested(plan)))
    .toSorted((a, b) => a.id - b.id);
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
