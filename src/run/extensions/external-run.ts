import type { Config } from '../../config/schema.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import type { ProgramSandbox } from '../programs/program-runner.ts';

/** What the sources of a run's other tools are made from. */
export interface ExternalRun extends ProgramSandbox {
  readonly config: Config;
  readonly plan: RunPlan | null;
  /** How the run is to be confined; left out, `sandboxed` says all. */
  readonly sandbox?: SandboxMode;
  readonly model?: string | null;
  /** The name of the preset; left out, that of the configuration. */
  readonly preset?: string;
  /** True where the run may change nothing that outlasts it. */
  readonly readOnly: boolean;
  /** Files that steer, as the base branch has them; null or left out, those of the checkout's last commit. */
  readonly steering?: SteeringTree | null;
  /** Where what is known of programs is kept; null where nothing may be. */
  readonly kept: StateStore | null;
  /** Credentials of ours that stand in no variable. */
  readonly secrets: readonly string[];
  /** Tells the operator, in a sentence. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}
