import { randomBytes } from 'node:crypto';
import type { AnswerForm } from '../../agent/loop/answer-form.ts';
import type { Config } from '../../config/schema.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { RunLimits } from '../../contract/limits.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { NewLines } from '../../contract/review-record.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { FetchedAttachment } from '../../contract/thread.ts';
import type { ReviewRange } from '../../workspace/changes/review-diff.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import type { ReadTrusted } from '../../workspace/storage/stored-programs.ts';
import type { ResumeRequest } from '../conversation/open-conversation.ts';
import type { SetupLocation } from '../setup/compose-setup.ts';

/** Describes one run on a folder that is checked out already. */
export interface RunInput {
  readonly runId: string;
  readonly sessionId: string;
  readonly root: string;
  /** The folder below `root` where commands start. Default: `root`. */
  readonly start?: string;
  /** Location of set-up results. Default: nowhere. */
  readonly setup?: SetupLocation;
  readonly task: string;
  /** Who asks for the task, and where its answer will stand, a line each. Default: untold. */
  readonly asked?: string;
  /** The form of the final answer. Default: any text. */
  readonly answerForm?: AnswerForm | undefined;
  /** The pull request's diff, for its review; null without a pull request. */
  readonly reviewDiff: string | null;
  /** The lines of that diff that are new since the last review. Default: null, it is the first. */
  readonly newLines?: NewLines | null;
  /**
   * The pull request's whole diff; changes may be suggested on its lines. Default: null, none are.
   */
  readonly pullRequestDiff?: string | null;
  /**
   * The commits that a review's checks look at. Default: null, uncommitted changes or the last
   * commit.
   */
  readonly range?: ReviewRange | null;
  /** True for a review by the checks only, which calls no model. */
  readonly checksOnly?: boolean;
  readonly threadContext: string;
  /** The fetched images that the thread context and the task name. Default: none. */
  readonly attachments?: readonly FetchedAttachment[];
  /** Instructions and skills of the base branch. Default: null, read from the checkout. */
  readonly trustedTree?: TrustedTree | null;
  readonly profile: string;
  /** Reasoning effort, 0 to 4. Default: the profile's. */
  readonly effort?: number;
  /**
   * Maximum bytes of the diff in the first message of a run that is no review. Default: 0, no diff.
   */
  readonly diffBytes?: number;
  readonly preset: string;
  readonly readOnly: boolean;
  readonly sandbox: SandboxMode;
  /** Files of the base branch, for hooks and delegates. Default: the last commit. */
  readonly trusted?: ReadTrusted;
  /** Overrides the profile's model. Null: no override. */
  readonly model: string | null;
  readonly limits: RunLimits;
  /** True if someone can answer a question or an approval. */
  readonly canAsk: boolean;
  /** The plan; for a local run it has `source.kind: 'cli'`. */
  readonly plan: RunPlan;
  readonly resume: ResumeRequest | null;
  /** Tokens made for this run, which are redacted like secrets of the environment. */
  readonly secrets: readonly string[];
}

/** The surroundings of a run: configuration, folders and state, but no GitHub credential. */
export interface RunContext {
  readonly config: Config;
  /** The process environment: source of model keys, and of secrets to redact. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Parent of the run folders, outside every checkout. */
  readonly runsFolder: string;
  /** Folders of our own, which no registered repository may overlap. Default: none. */
  readonly ownFolders?: readonly string[] | undefined;
  /** Base of relative paths in `workspace.repos`. Default: the checkout. */
  readonly repositoriesFrom?: string | undefined;
  /** The folder of the operator's own skills, for a local run. Default: null, none. */
  readonly userSkills?: string | null;
  /** State for later runs; null if nothing is stored, or if it could be forged. */
  readonly store: StateStore | null;
  readonly listen: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/** Makes a new id of a run or session: sortable by time, hard to guess. */
export function newRunId(kind: 'run' | 'sess' | 'child'): string {
  return `${kind}_${Date.now().toString(36)}${randomBytes(6).toString('hex')}`;
}

/** Joins both for the parts of a run. */
export interface RunRequest extends RunInput, RunContext {}
