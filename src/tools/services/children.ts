import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import type { TaskResult } from './task-result.ts';

/** A child run as a tool asks for it; the agent decides what it becomes. */
export interface ChildRequest {
  readonly title: string;
  readonly profile: string;
  readonly prompt: string;
  /** Null for as many as its profile gives. More than those are given only where `mayExtend` says so. */
  readonly maxTurns: number | null;
  /** True where it may be given more turns than its profile gives, up to the most that a child of it may take. */
  readonly mayExtend?: boolean;
  readonly timeoutMs: number | null;
  /** How hard to think, 0 to 4; left out, as the child's profile has it. */
  readonly effort?: number;
  /** Of the profile's tools only these, by canonical name or glob; left out, all. */
  readonly toolsAllowed?: readonly string[];
  /** Tools that it has besides those of its profile. */
  readonly moreTools?: readonly string[];
  /** True takes away whatever changes something. */
  readonly readOnly?: boolean;
  /** At this many calls the child ends; left out or null, at what its profile says. */
  readonly maxToolCalls?: number | null;
  /** The calls it gets for each turn, if `maxToolCalls` is left out. Default: no limit. */
  readonly callsPerTurn?: number;
  /** `provider/name`; left out, that of its profile, else of its parent. */
  readonly model?: string;
  /** Ends this child alone; left out, it ends by itself or with the run. */
  readonly signal?: AbortSignal;
}

/** What came back from a child run. */
export interface ChildResult {
  readonly childRunId: string;
  readonly conclusion: string;
  readonly answer: string;
  readonly entries: readonly RunEntry[];
  readonly turns: number;
  readonly usage: Usage;
  /** What it gave back by `task.return`; left out or null where it did not. */
  readonly returned?: TaskResult | null;
}

/** A kind of child that a run may start. */
export interface AgentKind {
  /** The name of its profile. */
  readonly id: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly maxTurns: number;
  /** Null for no limit of its own. */
  readonly maxCalls: number | null;
}

/** A child that goes on beside its parent, as it stands. One that has ended may be given more to do. */
export interface ChildStatus {
  readonly id: string;
  readonly title: string;
  readonly profile: string;
  /** True where it changes nothing. */
  readonly readOnly: boolean;
  /** `queued` where as many run as the parent's profile lets run at once. */
  readonly state: 'queued' | 'running' | 'ended' | 'closed';
  /** What came of it when it ended last; null before. */
  readonly result: ChildResult | null;
  /** What it gave back by `task.return`; null where it did not. */
  readonly returned: TaskResult | null;
}

/** The children that run beside a run, by their ids. They end with it at the latest. */
export interface Children {
  /** What kinds it may start. */
  readonly agents: () => Promise<readonly AgentKind[]>;
  /** Starts one and does not wait for it. Throws `ToolError` where the run may not. */
  readonly start: (request: ChildRequest) => Promise<ChildStatus>;
  /**
   * Gives a child more to do: a live one hears it before its next turn, or at once with `interrupt`; one that has ended goes on
   * with its conversation. Throws `ToolError` where there is none, or it was closed.
   */
  readonly send: (
    id: string,
    words: string,
    options: { readonly interrupt: boolean },
  ) => Promise<ChildStatus>;
  /**
   * Waits until one of the named children (null: of all) has ended whose end was not told yet, until all have, or not at all. After
   * `timeoutMs` milliseconds they are given as they stand. Throws `ToolError` for an id there is not.
   */
  readonly wait: (
    ids: readonly string[] | null,
    options: { readonly until: 'next' | 'all' | 'now'; readonly timeoutMs: number },
  ) => Promise<{ readonly children: readonly ChildStatus[]; readonly timedOut: boolean }>;
  /** Ends a child for good, and waits until it has ended. */
  readonly close: (id: string) => Promise<ChildStatus>;
  readonly list: () => Promise<readonly ChildStatus[]>;
}
