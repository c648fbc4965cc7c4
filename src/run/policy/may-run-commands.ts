import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isLocal } from './local-plan.ts';

/**
 * Returns true if a run may start programs of its checkout: in a working sandbox, or locally if the
 * user turned the sandbox off. A run for GitHub always needs the sandbox.
 */
export function mayRunCommands(run: {
  readonly plan: Pick<RunPlan, 'source'>;
  readonly sandboxed: boolean;
  readonly sandbox: SandboxMode;
}): boolean {
  return run.sandboxed || (isLocal(run.plan) && run.sandbox === 'off');
}
