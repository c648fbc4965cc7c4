import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isLocal } from './local-plan.ts';

/**
 * Returns true if a process of a run could read our keys: its sandbox was preferred and is missing.
 * A local run, or a sandbox that was turned off, means that the user accepts this.
 */
export function keysInReach(run: {
  readonly plan: Pick<RunPlan, 'source'>;
  readonly sandboxed: boolean;
  /** Default: not turned off. */
  readonly sandbox?: SandboxMode;
}): boolean {
  return !isLocal(run.plan) && !run.sandboxed && run.sandbox !== 'off';
}
