import type { ContextBounds } from '../../config/defaults.ts';
import type { ApprovalDecision, Decision, Grant } from '../../contract/decision.ts';
import type { RunLimits } from '../../contract/limits.ts';
import type { Message, ToolCallPart, ToolDefinition, ToolResultPart } from '../../contract/message.ts';
import type { Provenance } from '../../contract/provenance.ts';
import type { Rule } from '../../contract/rules.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import type { RunState, Tool, ToolServices } from '../../tools/tool.ts';
import type { UnderReview } from '../../workspace/changes/review-diff.ts';
import type { AfterCall, GateCall, OuterContext } from '../calls/call-tool.ts';
import type { ChangeQueue } from '../calls/change-queue.ts';
import type { EvaluateTreeChanges } from '../calls/evaluate-call-changes.ts';
import { conversationPort, type LoopRequests } from '../context/loop-requests.ts';
import type { RunLedger } from '../ledger/open-run-ledger.ts';
import type { Delegations } from '../limits/call-limits.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { Model } from '../models/model.ts';
import type { Profile, Profiles } from '../profiles/profiles.ts';
import type { TouchedFiles } from '../reminders/touched-files.ts';
import type { TurnReminder } from '../reminders/turn-reminders.ts';
import type { AnswerForm } from './answer-form.ts';

/** A run as the composition root assembles it: what to do, with what, within which bounds. */
export interface RunSettings {
  readonly runId: string;
  readonly sessionId: string;
  /** The conversation to start from: one user message, or a session that continues. */
  readonly messages: readonly Message[];
  /** For the ledger: the task as the requester wrote it. */
  readonly prompt: string;
  readonly profile: Profile;
  /** Every profile that children may be of. */
  readonly profiles: Profiles;
  readonly presetName: string;
  /** All built-in tools; loaded when a call names one that is not loaded. */
  readonly registry: () => Promise<readonly Tool[]>;
  /** Tool lists to preload, smallest first. Default: all at the first call. */
  readonly preload?: readonly (() => Promise<readonly Tool[]>)[];
  /** Tools of extensions. Default: none. */
  readonly external?: ExternalTools | null;
  /** Definitions of the tools, for the model. */
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly disabledTools: readonly string[];
  readonly limits: RunLimits;
  /** When older turns are summarised, for the whole family. */
  readonly context: ContextBounds;
  readonly model: Model;
  /**
   * Returns another configured model by `provider/model`, for profiles and calls that name one.
   * Rejects with a `ConfigError` that can be displayed if there is none of that name.
   */
  readonly models: (name: string) => Promise<Model>;
  /** The commit the run starts from; null without git. */
  readonly baseSha: string | null;
  /** Default folder of commands, below the root. Default: the root. */
  readonly start?: string;
  /** True where commands run in a sandbox, for the record. */
  readonly sandboxed: boolean;
  /** True if commands may only read and nothing is committed, as on a fork. Default: false. */
  readonly commandsReadOnly?: boolean;
  /** True if changes are posted as a patch, as the pull request is closed. Default: false. */
  readonly patchOnly?: boolean;
  /** Starts what works in other processes while the tools load, such as git. */
  readonly beforeTools?: () => Promise<void>;
  /** Services for the tools, opened at the first call. */
  readonly services: () => Promise<ToolServices>;
  readonly ledger: RunLedger;
  /** Returns what the run is made from, for the record. Default: none is recorded. */
  readonly provenance?: (prompt: {
    readonly model: string;
    readonly system: string;
    readonly toolDefinitions: readonly ToolDefinition[];
    readonly messages: readonly Message[];
    readonly diff: string | undefined;
  }) => Provenance;
  readonly gate: (call: GateCall, context: 'main' | 'child') => Promise<Decision>;
  /** Names the changes of commands that must be reverted. Default: none. */
  readonly evaluateChanges?: EvaluateTreeChanges;
  /** The after-hooks; null where there are none. */
  readonly after: AfterCall | null;
  /** Makes the reminders of one run of the family. Default: none. */
  readonly reminders?: (run: RemindedRun) => readonly TurnReminder[];
  /** The form of the main run's final answer. Left out: any text. */
  readonly answerForm?: AnswerForm | undefined;
  readonly redact: (text: string) => string;
  readonly listen: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** True if a thread waits for the answer. Default: false. */
  readonly foreground?: boolean;
  /** False if no one can be asked: `ask_user` then fails with a message and does not wait. */
  readonly canAsk: boolean;
  /** True where calls that a person has to agree to, and requests for permissions, wait for one. */
  readonly canApprove: boolean;
  /** The rules of the configuration, for permission requests that they rule out. */
  readonly rules: readonly Rule[];
  /** Usage and results of earlier parts of the session. */
  readonly before: Pick<
    SavedSession,
    | 'turns'
    | 'usage'
    | 'tool_calls'
    | 'cost_usd'
    | 'duration_ms'
    | 'uncounted'
    | 'history'
    | 'todos'
    | 'approvals'
    | 'findings'
    | 'experiment'
    | 'committed'
    | 'decided'
    | 'stopped'
  > | null;
  /** A person's text to the resumed session. Default: none, for a new run. */
  readonly reply?: { readonly question: string | null; readonly text: string } | null;
  /** The resumed run and its question. Default: none, for a new run. */
  readonly resumedFrom?: { readonly run_id: string; readonly question: string | null };
  /** Grants of the session that are still valid. */
  readonly grants: readonly Grant[];
  /** The decision on the approval that the session waited for. Null if it waited for none. */
  readonly decided: ApprovalDecision | null;
  /**
   * The approved call, which is made before the first turn; `messages` then comes from its result.
   */
  readonly open: OpenCall | null;
  /** Describes the repository, for the first message of a child with this profile. */
  readonly contextPack: (profile: Profile) => Promise<string>;
  readonly newId: () => string;
  /**
   * Returns the diff for a reviewing child: this run's changes so far, else the diff that the run
   * was given.
   */
  readonly reviewDiff: () => Promise<UnderReview>;
  /** The diff that this run has to review. Default: none. */
  readonly reviewed?: string | undefined;
}

/**
 * A run that notes are made for: the files its calls touch, and whether it is a child, which starts
 * with the pack alone.
 */
export interface RemindedRun {
  readonly touched: TouchedFiles;
  readonly child: boolean;
}

/** A call of the saved conversation that was approved and has not been made yet. */
export interface OpenCall {
  readonly call: ToolCallPart;
  readonly digest: string;
  /** Returns true at the first call: an approval is used once, also when a run is retried. */
  readonly use: () => Promise<boolean>;
  /** The message that lacks its result, the last of the conversation. */
  readonly pending: Message;
  /** The whole conversation, with the result of the call. */
  readonly complete: (result: ToolResultPart) => readonly Message[];
}

/** The settings for creating children; the others concern only the main run. */
export type RunTreeSettings = Pick<
  RunSettings,
  | 'listen'
  | 'profile'
  | 'profiles'
  | 'presetName'
  | 'registry'
  | 'external'
  | 'disabledTools'
  | 'limits'
  | 'context'
  | 'model'
  | 'models'
  | 'sandboxed'
  | 'commandsReadOnly'
  | 'services'
  | 'gate'
  | 'evaluateChanges'
  | 'after'
  | 'reminders'
  | 'redact'
  | 'contextPack'
  | 'newId'
  | 'reviewDiff'
>;

/** Parts that parent and children of one run share. */
export interface RunTree {
  readonly settings: RunTreeSettings;
  readonly budget: RunBudget;
  readonly signal: AbortSignal;
  /** The children that the main run may start. */
  readonly delegations: Delegations;
  /**
   * Counts a call of a tool, also of a child; throws `ToolError` where the main run's profile gives
   * no more of it.
   */
  readonly limitCall: (tool: string) => void;
  /** Orders the calls that may change the checkout. */
  readonly changeQueue: ChangeQueue;
}

/** One call of a run, and the run's own parts of its context. */
interface ContextParts {
  readonly callId: string;
  readonly onlyReads: boolean;
  readonly record: (entry: RunEntry) => void;
  readonly state: RunState;
  readonly requests: LoopRequests;
}

/** Returns a tool's context without the ports that differ between a main run and a child. */
export function sharedContext(
  runTree: RunTree,
  services: ToolServices,
  { callId, onlyReads, record, state, requests }: ContextParts,
): Omit<OuterContext, 'ask' | 'requestPermissions' | 'runChild'> {
  return {
    callId,
    onlyReads,
    ...services,
    signal: runTree.signal,
    state,
    record,
    finish: async (answer) => {
      requests.finished = { answer };
    },
    conversation: conversationPort(requests),
  };
}
