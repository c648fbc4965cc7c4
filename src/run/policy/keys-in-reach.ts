import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';

/**
 * Whether a process of a run could read our keys: its sandbox was only preferred, and is missing. Whoever turned the sandbox off, or
 * runs it by hand on a machine of their own (no plan), has said that this may be.
 */
export function keysInReach(run: {
  readonly plan: RunPlan | null;
  readonly sandboxed: boolean;
  /** Left out, it was not turned off. */
  readonly sandbox?: SandboxMode;
}): boolean {
  return run.plan !== null && !run.sandboxed && run.sandbox !== 'off';
}
