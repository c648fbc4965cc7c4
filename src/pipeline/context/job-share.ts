import type { HandedRun } from '../../contract/handed-run.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** The part of the work that a workflow job does, if agent and publisher have a job each. */
export type JobShare =
  /** Decides and runs the agent. Nothing is written to GitHub. */
  | { readonly kind: 'agent' }
  /** Decides again and publishes what the agent's job left. No agent runs. */
  | {
      readonly kind: 'publish';
      /** The run that the agent's job carried out: the first that the event plans. */
      readonly runId: string;
      /** Result that the agent's job left; null for none. */
      readonly handed: HandedRun | null;
    };

/** Returns what the agent's job left for a plan; null without it, and where one job does all. */
export function handedRunOf({ run_id }: Pick<RunPlan, 'run_id'>, share: JobShare | undefined) {
  return share?.kind === 'publish' && share.runId === run_id ? share.handed : null;
}
