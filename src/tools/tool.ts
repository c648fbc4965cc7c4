import type * as z from 'zod';
import type { EditChecks } from '../checks/linters/edit-checks.ts';
import type { ExperimentHistory } from '../contract/experiment.ts';
import type { Finding } from '../contract/findings.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { Level } from '../contract/levels.ts';
import type { ImagePart, TextPart, ToolDefinition, ToolResultPart } from '../contract/message.ts';
import type { Rule } from '../contract/rules.ts';
import type { ActivatedInstructions } from '../contract/run-history.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { Question, Todo, TriageChoices } from '../contract/run-results.ts';
import type { Chat } from '../contract/thread.ts';
import type { Targets } from '../permissions/policy/policy.ts';
import type { CommandRunner } from '../sandbox/command-runner.ts';
import type { ChangeEvaluator } from '../workspace/changes/change-ledger.ts';
import type { Attachments } from '../workspace/files/attachments.ts';
import type { RegisteredRepository } from '../workspace/git/registered-repositories.ts';
import type { RunStorage } from '../workspace/storage/run-storage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChildRequest, ChildResult, Children, TaskResult } from './services/children.ts';
import type { Mailboxes } from './services/mailboxes.ts';
import type { PastThreads } from './services/past-threads.ts';
import type { ReviewServices, SyntaxParser, TaskHome } from './services/run-services.ts';
import type { SkillLibrary, SkillVisibility } from './services/skill-entry.ts';
import type { ShellSessions } from './shell/sessions/sessions.ts';

/** The output of a tool: text or images for the model, data for the run ledger. */
export interface ToolOutput {
  readonly content: string | readonly (TextPart | ImagePart)[];
  readonly data?: Json;
  /** A file with the whole output, if `content` is only a preview. */
  readonly spill?: string;
}

/** The result of a side-effect-free `prepare`, before the gate decides. */
export interface Prepared {
  readonly targets: Targets;
  /** The change as a unified diff, for rules and approvers. */
  readonly diff: string;
  /** True if the call turned out to change nothing, whatever its tool declares. */
  readonly onlyReads?: boolean;
  /** Passed to `execute`, so that exactly the evaluated change is made. */
  readonly state: unknown;
  /**
   * True if the call's object ends when the run waits, so that it cannot be approved later.
   */
  readonly endsWithRun?: boolean;
}

/** A child that a call starts: its profile, and whether it may only read. */
export interface StartedChild {
  readonly profile: string;
  readonly readOnly: boolean;
}

/** Permissions requested until the session ends: for tools by name, or for matching calls. */
export interface PermissionRequest {
  readonly permissions: readonly { readonly tool: string; readonly matches?: Rule['matches'] }[];
  readonly reason: string;
}

/**
 * The agent's own state, one object for all calls of its run. Tools replace lists and record the
 * entry.
 */
export interface RunState {
  todos: readonly Todo[];
  /** The current findings of its review. */
  findings: readonly Finding[];
  /** The diff under review. Default: none. */
  readonly reviewed?: string | undefined;
  /** Visible skills by its profile. Default: all. */
  readonly skills?: SkillVisibility | undefined;
  /** Characters of skills it has read. Default: 0. */
  skillCharacters?: number;
  /** The current experiment. Default: none. */
  experiment?: ExperimentHistory | null;
  /** Its name within the run tree. Default: the main run. */
  readonly name?: string;
  /** Receives the result of `task.return` in a delegated child. */
  readonly task?: { result: TaskResult | null };
  /** Its published message. A child run posts none. */
  readonly message?: RunMessage;
}

/** The message of a run, if one of its files is posted instead of its last text. */
export interface RunMessage {
  /** True if people on a thread wait for it. */
  readonly foreground: boolean;
  /** The committed text; null before the first commit. */
  text: string | null;
}

/** Services for all calls of a run and its children, created once. */
export interface ToolServices {
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  /** Programs left running by the run. */
  readonly sessions: ShellSessions;
  /** Parses code, for `code_search`. */
  readonly syntax: SyntaxParser;
  /** Folder for outputs too long for the model, outside the checkout; `read` can open it. */
  readonly spillFolder: string;
  /** Other readable checkouts, in the order of their registration. */
  readonly repositories: readonly RegisteredRepository[];
  /** The images of the thread, for `look_at`. */
  readonly attachments: Attachments;
  /** Formatting and checks of changed files. */
  readonly editChecks: EditChecks;
  /** The run's own files, outside the checkout. */
  readonly storage: RunStorage;
  /** Choices of a triage; null in every other run. */
  readonly choices: TriageChoices | null;
  /** Checks for a review of the run's own change. */
  readonly review: ReviewServices;
  /** Instructions for kinds of work. */
  readonly skills: SkillLibrary;
  /** The repository's instructions activated in this run and its children. */
  readonly instructions: { readonly activated: readonly ActivatedInstructions[] };
  /** The store of the repository's tasks. */
  readonly tasks: TaskHome;
  /** Earlier runs on the repository. */
  readonly threads: PastThreads;
  /** The thread at the time of the trigger; null for a run without one. */
  readonly chat: Chat | null;
  /** Messages between this run and its children. */
  readonly mailboxes: Mailboxes;
}

/** A deferred tool as `tool_search` reads it. */
export interface DeferredTool extends ToolDefinition {
  readonly findBy?: Tool['findBy'];
}

/** A tool that `tool_search` names without its definition: it is in every request, or not there. */
export interface NamedTool extends Pick<Tool, 'name' | 'findBy'> {
  /** The sentence that says so. */
  readonly note: string;
}

/** A call inside another, as `batch` makes them. */
export interface InnerCall {
  readonly tool: string;
  readonly input: Json;
}

/** Use of a run's context, in tokens by count and estimate. */
export interface ContextSize {
  /** Size of the model's context. */
  readonly window: number;
  readonly used: number;
  /** Above this, older turns are summarised; null if that is off. */
  readonly full: number | null;
  /** The newest part, which is never summarised. */
  readonly recent: number;
  /** The older part that a summary would replace; whole turns only. */
  readonly older: number;
}

/** The conversation of a call. */
export interface ConversationPort {
  size(): ContextSize;
  /** Renders the remaining part of each limit: `3 of 40 tool calls`. */
  left(): readonly string[];
  /** Remaining milliseconds of the run; null without a limit. */
  msLeft(): number | null;
  /** Returns the model's text since the last results, also beside the calls of this turn. */
  recentText(): string;
  /** Summarises older turns before the next request; `instructions`: what to preserve. */
  compact(instructions: string | null): void;
}

/** Everything a tool may use. Higher layers are passed as small ports. */
export interface ToolContext extends ToolServices {
  readonly callId: string;
  /** True if this call was found to change nothing. */
  readonly onlyReads: boolean;
  readonly signal: AbortSignal;
  readonly state: RunState;
  /** Decides which changes of a command must be reverted. Default: none. */
  readonly changeEvaluator?: ChangeEvaluator | null;
  /** Appends to the run ledger. */
  readonly record: (entry: RunEntry) => void;
  /** Ends the run successfully after this turn, with this answer; null: the model's last text. */
  readonly finish: (answer: string | null) => Promise<void>;
  /** The conversation. Default: the call is part of none. */
  readonly conversation?: ConversationPort | null;
  /** Asks a person. Without one, the run ends as waiting by throwing `RunStopped`. */
  readonly ask: (question: Question) => Promise<string>;
  /**
   * Asks a person for permissions. Ends the run as waiting, or throws `ToolError` without anybody
   * to ask.
   */
  readonly requestPermissions: (request: PermissionRequest) => Promise<never>;
  /** Starts a child run and waits for it. Throws `ToolError('unavailable')` inside a child. */
  readonly runChild: (request: ChildRequest) => Promise<ChildResult>;
  /** The children that run beside this run. Inside a child there are none. */
  readonly children?: Children;
  /**
   * Makes several calls through parse, gate and record, as if the model had made each. They run in
   * parallel if all only read, else in order. A failed call is a result too.
   */
  readonly runCalls: (calls: readonly InnerCall[]) => Promise<readonly ToolResultPart[]>;
  /**
   * Renders a call of a tool in this run as the model can send it: `bash {…}`. Null without such a
   * tool.
   */
  readonly describeCall: (name: string, args: JsonObject) => Promise<string | null>;
  /** Returns the definitions of the deferred tools of this run. */
  readonly deferredTools: () => Promise<readonly DeferredTool[]>;
  /** Returns the built-in tools that are no deferred tools of this run. */
  readonly namedTools: () => Promise<readonly NamedTool[]>;
}

/**
 * One tool. Its fields are in the order of a call: the schema parses, the gate reads `level` and
 * `targets`, `prepare` verifies without side effects, `execute` acts. A tool throws `ToolError`
 * with a message for the model. It never asks for permission, never truncates its output, and never
 * catches an abort.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  /** Canonical name; a dot becomes `_` on the wire. */
  readonly name: string;
  /** Aliases, each with the arguments it fixes: `write_file` is `{overwrite: true}`. */
  readonly aliases?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Aliases of arguments: `{file_path: 'path'}`. Applied before the schema. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  readonly description: string;
  /**
   * `deferred`: found by `tool_search` and called through `use_tool`. `hidden`: never announced.
   * Either can be called by name. Default: part of every request.
   */
  readonly exposure?: 'deferred' | 'hidden';
  /**
   * Phrases by which `tool_search` finds the tool; a query has to contain all words of one, of
   * which `a|b` is either. The first of a deferred tool names its kind in the description of
   * `tool_search`.
   */
  readonly findBy?: readonly string[] | undefined;
  readonly input: Schema;
  /** JSON schema for the model, for tools of others. Default: made from `input`. */
  readonly schema?: JsonObject;
  readonly level: Level | ((input: z.output<Schema>) => Level);
  /** True if a call changes nothing, so that it may run in parallel; may depend on the input. */
  readonly readOnly: boolean | ((input: z.output<Schema>) => boolean);
  /** The children that a call starts; it only reads if all of them do. Default: none. */
  readonly children?: (input: z.output<Schema>) => readonly StartedChild[];
  /** True if a `state_write` touches only the run's own state: always allowed. */
  readonly ownState?: boolean;
  /**
   * True if the call's commands start in the run's start folder unless `cwd` is given. Default:
   * false.
   */
  startsCommands?(input: z.output<Schema>): boolean;
  targets(input: z.output<Schema>): Targets;
  prepare?(input: z.output<Schema>, context: ToolContext): Promise<Prepared>;
  execute(input: z.output<Schema>, context: ToolContext, prepared: Prepared | undefined): Promise<ToolOutput>;
}

/** A tool as its file writes it. `readOnly` may be omitted where it follows from the level. */
type WrittenTool<Schema extends z.ZodType> = Omit<Tool<Schema>, 'readOnly'> &
  Partial<Pick<Tool<Schema>, 'readOnly'>>;

/**
 * Gives a tool its precise type and returns it as the uniform one. Default of `readOnly`: true for
 * the levels that read.
 */
export function defineTool<Schema extends z.ZodType>(tool: WrittenTool<Schema>): Tool {
  const readOnly = tool.level === 'auto_read' || tool.level === 'external_read';
  return { readOnly, ...tool } as unknown as Tool;
}

/** Converts a value to plain JSON data for `ToolOutput.data`, without undefined fields. */
export function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
