import { defaultExternalTimeout } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import type { RunPlan } from '../contract/plan.ts';
import {
  type ExternalSource,
  type ExternalTools,
  loadExternalTools,
} from '../tools/external/load-external-tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { SteeringTree } from '../workspace/steering-tree.ts';
import type { KeptState } from './run-state.ts';
import type { ProgramSandbox } from './start-program.ts';

/** What the sources of a run's other tools are made from. */
export interface ExternalRun extends ProgramSandbox {
  readonly config: Config;
  readonly plan: RunPlan | null;
  readonly model?: string | null;
  /** Files that steer, as the base branch has them; null or left out, those of the checkout's last commit. */
  readonly steering?: SteeringTree | null;
  /** Where what is known of programs is kept; null where nothing may be. */
  readonly kept: KeptState | null;
  /** Credentials of ours that stand in no variable. */
  readonly secrets: readonly string[];
  readonly redact: (text: string) => string;
  /** Tells the operator, in a sentence. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/** One kind of source: what the configuration names of it, opened without waiting for anything; none where it names nothing. */
type Opener = (run: ExternalRun) => Promise<readonly ExternalSource[]>;

/** Every kind of source, in the order in which their tools are told of. What loads something heavy does so only when it is named. */
const openers: readonly Opener[] = [];

/** The tools that others bring to a run, which begin to load at once; null where the configuration names none. */
export async function openExternalTools(
  run: ExternalRun,
  builtin: () => Promise<readonly Tool[]>,
): Promise<ExternalTools | null> {
  const sources = (await Promise.all(openers.map((open) => open(run)))).flat();
  if (sources.length === 0) return null;
  const seconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
  return loadExternalTools(sources, {
    builtin,
    timeoutMs: seconds * 1_000,
    signal: run.signal,
    tell: run.warn,
  });
}
