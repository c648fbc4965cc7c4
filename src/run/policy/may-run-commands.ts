import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';

/**
 * True for a run that may start programs of its checkout: it has a working sandbox, or is on a person's own machine (no plan) and that
 * person turned the sandbox off. A run for GitHub without a sandbox starts none, whoever turned it off.
 */
export function mayRunCommands(run: {
  readonly plan: RunPlan | null;
  readonly sandboxed: boolean;
  readonly sandbox: SandboxMode;
}): boolean {
  return run.sandboxed || (run.plan === null && run.sandbox === 'off');
}
