import type * as z from 'zod';
import type { EditChecks } from '../checks/linters/edit-checks.ts';
import type { Advert } from '../contract/advert.ts';
import type { Chat } from '../contract/chat.ts';
import type { ExperimentHistory } from '../contract/experiment.ts';
import type { Finding } from '../contract/findings.ts';
import type { ActivatedInstructions } from '../contract/instructions.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { Level } from '../contract/levels.ts';
import type { ImagePart, TextPart, ToolResultPart } from '../contract/message.ts';
import type { Question } from '../contract/question.ts';
import type { Rule } from '../contract/rules.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { Todo } from '../contract/todos.ts';
import type { TriageChoices } from '../contract/triage.ts';
import type { Targets } from '../permissions/policy/targets.ts';
import type { CommandRunner } from '../sandbox/command-runner.ts';
import type { ChangeJudge } from '../workspace/changes/change-ledger.ts';
import type { Attachments } from '../workspace/files/attachments.ts';
import type { RegisteredRepository } from '../workspace/git/registered-repositories.ts';
import type { RunStorage } from '../workspace/storage/run-storage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChildRequest, ChildResult, Children } from './services/children.ts';
import type { Mailboxes } from './services/mailboxes.ts';
import type { PastThreads } from './services/past-threads.ts';
import type { ReviewServices } from './services/review-services.ts';
import type { SkillLibrary, SkillVisibility } from './services/skill-entry.ts';
import type { SyntaxParser } from './services/syntax-parser.ts';
import type { TaskHome } from './services/task-home.ts';
import type { TaskResult } from './services/task-result.ts';
import type { ShellSessions } from './shell/sessions/sessions.ts';

/** What a tool gives back: text or images for the model, machine-readable data for the run ledger. */
export interface ToolOutput {
  readonly content: string | readonly (TextPart | ImagePart)[];
  readonly data?: Json;
  /** A file that holds the whole output where `content` is only a preview of it. */
  readonly spill?: string;
}

/** What a side-effect-free `prepare` found out about a call before the gate decides on it. */
export interface Prepared {
  readonly targets: Targets;
  /** What would change, as a unified diff, for rules and approvers. */
  readonly diff: string;
  /** True where the call turned out to change nothing, whatever its tool says of itself. */
  readonly onlyReads?: boolean;
  /** Handed on to `execute`, so that what was judged is what is done. */
  readonly state: unknown;
  /** True where what the call works on is gone once the run waits, so that nobody is asked to approve it. */
  readonly endsWithRun?: boolean;
}

/** A child as a call asks for it: by the name of its profile, and whether it is to only read whatever that is. */
export interface StartedChild {
  readonly profile: string;
  readonly readOnly: boolean;
}

/** Permissions asked for until the session ends, and why: for tools by name, or for such of their calls as match. */
export interface PermissionRequest {
  readonly permissions: readonly { readonly tool: string; readonly matches?: Rule['matches'] }[];
  readonly reason: string;
}

/** The agent's own lists, one object for all calls of its run. A tool replaces a list and records the entry. */
export interface RunState {
  todos: readonly Todo[];
  /** What its review has found so far. */
  findings: readonly Finding[];
  /** The diff that it reviews; left out where it reviews none. */
  readonly reviewed?: string | undefined;
  /** Which skills its profile lets it see; left out, all. */
  readonly skills?: SkillVisibility | undefined;
  /** Characters of skills that it has been shown; left out, none. */
  skillCharacters?: number;
  /** What it measures and improves; left out or null before it began with that. */
  experiment?: ExperimentHistory | null;
  /** What it is called among the runs of its family; left out for the main run. */
  readonly name?: string;
  /** Where a child leaves what `task.return` gives back; left out for any other run. */
  readonly task?: { result: TaskResult | null };
  /** What it publishes; left out in a child run, which posts nothing. */
  readonly message?: RunMessage;
}

/** The message of a run, where one of its files is to be posted in place of its last words. */
export interface RunMessage {
  /** True where people wait for it on a thread. */
  readonly foreground: boolean;
  /** All that was committed so far; null before the first commit. */
  text: string | null;
}

/** What all calls of a run and its children work on, made once by the composition root. */
export interface ToolServices {
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  /** What the run has left running. */
  readonly sessions: ShellSessions;
  /** Reads code by its syntax, for `code_search`. */
  readonly syntax: SyntaxParser;
  /** Where outputs too long for the model are kept whole: a folder outside the checkout that `read` reaches. */
  readonly spillFolder: string;
  /** Other checkouts that may be read, in the order they were registered. */
  readonly repositories: readonly RegisteredRepository[];
  /** The images of the thread, for `look_at`. */
  readonly attachments: Attachments;
  /** What is done about files that a tool changes, besides writing them. */
  readonly editChecks: EditChecks;
  /** The run's own files, outside the checkout. */
  readonly storage: RunStorage;
  /** What a triage may choose from; null in every other run. */
  readonly choices: TriageChoices | null;
  /** What a review of the run's own change is made of, besides a reviewer. */
  readonly review: ReviewServices;
  /** Instructions for kinds of work. */
  readonly skills: SkillLibrary;
  /** The repository's own instructions, as far as they came to hold in this run and its children. */
  readonly instructions: { readonly activated: readonly ActivatedInstructions[] };
  /** Where the tasks of the repository are kept. */
  readonly tasks: TaskHome;
  /** Earlier runs on the repository. */
  readonly threads: PastThreads;
  /** The thread as it was at the trigger; null for a run without one. */
  readonly chat: Chat | null;
  /** Messages between this run and its children. */
  readonly mailboxes: Mailboxes;
}

/** A call inside another, as `batch` makes them. */
export interface InnerCall {
  readonly tool: string;
  readonly input: Json;
}

/** How full the context of a run is, in tokens by count and estimate. */
export interface ContextSize {
  /** What the model takes. */
  readonly window: number;
  readonly used: number;
  /** Above this older turns are summarised; null where that is switched off. */
  readonly full: number | null;
  /** The newest part, which never is. */
  readonly recent: number;
  /** What a summary now would take the place of: less than the rest, as no turn is cut in two. */
  readonly older: number;
}

/** The conversation that a call is part of. */
export interface ConversationPort {
  size(): ContextSize;
  /** What is left of each limit of the run, in words: `3 of 40 tool calls`. */
  left(): readonly string[];
  /** How long the whole run may go on, in milliseconds; null where no limit of it says. */
  msLeft(): number | null;
  /** What the model said last since it saw results, also beside the calls of this turn; '' for nothing. */
  words(): string;
  /** Has older turns summarised before the next request; `instructions`: what to keep above all. */
  compact(instructions: string | null): void;
}

/** Everything a tool may touch. What lies above the tools comes in as a small port. */
export interface ToolContext extends ToolServices {
  readonly callId: string;
  /** True when this call was found to change nothing anywhere. */
  readonly onlyReads: boolean;
  readonly signal: AbortSignal;
  readonly state: RunState;
  /** Says what of a command's changes may not stand; left out or null, all may. */
  readonly changeJudge?: ChangeJudge | null;
  /** Appends to the run ledger. */
  readonly record: (entry: RunEntry) => void;
  /** Ends the run well after this turn's results, with this answer; null: with the last text of the model. */
  readonly finish: (answer: string | null) => Promise<void>;
  /** The conversation; left out or null for a call that is part of none. */
  readonly conversation?: ConversationPort | null;
  /** Asks a person. Headless this ends the run as waiting by throwing `RunStopped`. */
  readonly ask: (question: Question) => Promise<string>;
  /** Asks a person for permissions. Ends the run as waiting, or throws `ToolError` where nobody can be asked. */
  readonly requestPermissions: (request: PermissionRequest) => Promise<never>;
  /** Starts a child run and waits for it. Throws `ToolError('unavailable')` inside a child. */
  readonly runChild: (request: ChildRequest) => Promise<ChildResult>;
  /** The children that run beside this run; left out in a child. */
  readonly children?: Children;
  /**
   * Makes several calls as if the model had made each: through parse, gate and record, side by side when all of
   * them only read, else in order. A failing call is a result like any other.
   */
  readonly runCalls: (calls: readonly InnerCall[]) => Promise<readonly ToolResultPart[]>;
  /** How the model calls a tool of this run, in words it can send: `bash {…}`. Null where the run has no tool of that name. */
  readonly callInWords: (name: string, args: JsonObject) => Promise<string | null>;
  /** The tools of this run that the model was not told of at first, as it would be told of them. */
  readonly deferredTools: () => Promise<readonly Advert[]>;
}

/**
 * One tool. The order of the fields is the order of a call: the schema parses, `level` and `targets` feed
 * the gate, `prepare` verifies without side effects, `execute` acts. A tool throws `ToolError` in words the
 * model can act on; it never asks for permission, never truncates for the model, never catches the abort.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  /** Canonical name; a dot becomes `_` on the wire. */
  readonly name: string;
  /** Other names models know it by, each with the arguments it fixes: `write_file` is `{overwrite: true}`. */
  readonly aliases?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Other names of arguments: `{file_path: 'path'}`. Applied before the schema. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  readonly description: string;
  /**
   * Left out, every request tells the model of the tool. `deferred`: it is found by `tool_search` and called
   * through `use_tool`. `hidden`: nothing tells of it. By its name each can be called.
   */
  readonly exposure?: 'deferred' | 'hidden';
  readonly input: Schema;
  /** What the model is shown of the input where somebody else declared it; left out, it is made from `input`. */
  readonly schema?: JsonObject;
  readonly level: Level | ((input: z.output<Schema>) => Level);
  /** True when a call changes nothing anywhere, so that it may run beside others; some know it by their input. */
  readonly readOnly: boolean | ((input: z.output<Schema>) => boolean);
  /** The children that a call starts: it only reads where each of them does. Left out, it starts none, or none that it could name. */
  readonly children?: (input: z.output<Schema>) => readonly StartedChild[];
  /** True when a `state_write` touches only the run's own state (its list, its findings): always allowed. */
  readonly ownState?: boolean;
  /** True for a call whose commands start in the folder that the run started in, unless its `cwd` names another. Left out, none does. */
  startsCommands?(input: z.output<Schema>): boolean;
  targets(input: z.output<Schema>): Targets;
  prepare?(input: z.output<Schema>, context: ToolContext): Promise<Prepared>;
  execute(input: z.output<Schema>, context: ToolContext, prepared: Prepared | undefined): Promise<ToolOutput>;
}

/** Gives a tool its precise type while keeping the list of tools uniform. */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
