import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isLocal } from './local-plan.ts';

/**
 * Returns true if the sandbox lets a run start programs of its checkout: it works, or the user of a
 * local run turned it off. A run for GitHub always needs it. The gate decides on each call.
 */
export function sandboxAllowsCommands(run: {
  readonly plan: Pick<RunPlan, 'source'>;
  readonly sandboxed: boolean;
  readonly sandbox: SandboxMode;
}): boolean {
  return run.sandboxed || (isLocal(run.plan) && run.sandbox === 'off');
}
