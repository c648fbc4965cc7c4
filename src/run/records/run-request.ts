import type { Config } from '../../config/schema.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { RunLimits } from '../../contract/limits.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEvent } from '../../contract/run-ledger.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { FetchedAttachment } from '../../contract/thread.ts';
import type { ReviewRange } from '../../workspace/changes/review-diff.ts';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import type { TrustedFiles } from '../../workspace/storage/kept-programs.ts';
import type { SetupPlace } from '../setup/compose-setup.ts';
import type { ResumeRequest } from '../steering/open-conversation.ts';

/** One run on a folder that is checked out already, whoever asked for it. */
export interface RunRequest {
  readonly runId: string;
  readonly sessionId: string;
  readonly root: string;
  /** The folder below it that whoever asks stands in, where commands start; left out, the root. */
  readonly start?: string;
  /** Where run folders are made: outside every checkout. */
  readonly runsFolder: string;
  /** Where results of set-ups are kept; left out, there are none. */
  readonly setup?: SetupPlace;
  /** More folders of our own, in which no repository may be registered. */
  readonly ownFolders?: readonly string[];
  /** Where relative paths of `workspace.repos` start; left out, `root`. */
  readonly repositoriesFrom?: string;
  readonly task: string;
  /** The pull request's diff, for reviews of it; null where there is no pull request. */
  readonly reviewDiff: string | null;
  /** The whole of it, on whose lines changes may be suggested; left out or null, none are. */
  readonly pullRequestDiff?: string | null;
  /** What is reviewed, for the checks of a review; left out or null, what is uncommitted or was committed last. */
  readonly range?: ReviewRange | null;
  /** True for a review by the checks alone: no model is asked. */
  readonly checksOnly?: boolean;
  readonly threadContext: string;
  /** The images that the thread context and the task name, as far as they could be fetched; none where left out. */
  readonly attachments?: readonly FetchedAttachment[];
  /** Instructions and skills as the base branch has them; left out, those of the checkout itself. */
  readonly steering?: SteeringTree | null;
  /** The folder of the operator's own skills, for a run on their machine; left out, there are none. */
  readonly userSkills?: string | null;
  readonly profile: string;
  /** How hard the model thinks, 0 to 4; left out, as the profile has it. */
  readonly effort?: number;
  /** True where the first message shows the diff although the run is no review. */
  readonly showDiff?: boolean;
  readonly preset: string;
  readonly readOnly: boolean;
  readonly sandbox: SandboxMode;
  /** Files of the base branch, for hooks and delegates; left out, those of the checkout's last commit. */
  readonly trusted?: TrustedFiles;
  /** Chosen for this run, which wins over that of its profile; null where nobody chose one. */
  readonly model: string | null;
  readonly limits: RunLimits;
  readonly config: Config;
  readonly canAsk: boolean;
  readonly plan: RunPlan | null;
  /** Where what later runs see is kept; null where nothing may be, or where it could have been forged. */
  readonly kept: StateStore | null;
  readonly resume: ResumeRequest | null;
  /** The environment of the process: keys for the model are read from it, secrets in it are redacted. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** More values that must never leave: tokens made for this run. */
  readonly secrets: readonly string[];
  readonly listen: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}
