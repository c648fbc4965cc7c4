import * as z from 'zod';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import { list, stringList, unlessNull } from '../input/lenient.ts';

/** A child run as a tool requests it. */
export interface ChildRequest {
  readonly title: string;
  readonly profile: string;
  readonly prompt: string;
  /** Default: the number of its profile, which only `mayExtend` may exceed. */
  readonly maxTurns?: number | null;
  /** True if it may get more turns than its profile has, up to the maximum for children. */
  readonly mayExtend?: boolean;
  /** Default: no limit of its own. */
  readonly timeoutMs?: number | null;
  /** Effort, 0 to 4. Default: the child profile's. */
  readonly effort?: number;
  /** Names or globs that further limit the profile's tools. Default: all. */
  readonly toolsAllowed?: readonly string[] | undefined;
  /** Tools in addition to the profile's. */
  readonly moreTools?: readonly string[];
  /** True removes every tool that changes something. */
  readonly readOnly?: boolean;
  /** Maximum calls. Default: the profile's. */
  readonly maxToolCalls?: number | null;
  /** The calls it gets for each turn, if `maxToolCalls` is left out. Default: no limit. */
  readonly callsPerTurn?: number;
  /** `provider/name`. Default: the profile's, else the parent's. */
  readonly model?: string | undefined;
  /** Ends only this child. Default: the child ends on its own or with the run. */
  readonly signal?: AbortSignal;
}

/** The result of a child run. */
export interface ChildResult {
  readonly childRunId: string;
  readonly conclusion: string;
  readonly answer: string;
  readonly entries: readonly RunEntry[];
  readonly turns: number;
  readonly usage: Usage;
  /** The result given by `task.return`. Default: none. */
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

/** The status of a child that runs beside its parent. An ended child may get further work. */
export interface ChildStatus {
  readonly id: string;
  readonly title: string;
  readonly profile: string;
  /** True if it changes nothing. */
  readonly readOnly: boolean;
  /** `queued`: the parent's profile allows no more at once. */
  readonly state: 'queued' | 'running' | 'ended' | 'closed';
  /** The result of its last end; null before. */
  readonly result: ChildResult | null;
  /** The result given by `task.return`; null for none. */
  readonly returned: TaskResult | null;
}

/** The children that run beside a run, by id. They end with it at the latest. */
export interface Children {
  /** Lists the kinds it may start. */
  readonly kinds: () => Promise<readonly AgentKind[]>;
  /** Starts a child without waiting for it. Throws `ToolError` if not allowed. */
  readonly start: (request: ChildRequest) => Promise<ChildStatus>;
  /**
   * Gives a child further work. A running child gets it before its next turn, or at once with
   * `interrupt`. An ended child continues its conversation. Throws `ToolError` for an unknown or
   * closed child.
   */
  readonly send: (id: string, text: string, options: { readonly interrupt: boolean }) => Promise<ChildStatus>;
  /**
   * Waits for the named children (null: all): until one has ended that was not reported yet, until
   * all have ended, or not at all. Returns their status after `timeoutMs` milliseconds at the
   * latest. Throws `ToolError` for an unknown id.
   */
  readonly wait: (
    ids: readonly string[] | null,
    options: { readonly until: 'next' | 'all' | 'now'; readonly timeoutMs: number },
  ) => Promise<{ readonly children: readonly ChildStatus[]; readonly timedOut: boolean }>;
  /** Ends a child permanently, and waits until it has ended. */
  readonly close: (id: string) => Promise<ChildStatus>;
  readonly list: () => Promise<readonly ChildStatus[]>;
}

/** One of the run's own files that a child leaves for its parent. */
const Artifact = z.object({
  path: z.string().min(1),
  kind: z.string().min(1).describe('markdown, json, text'),
  role: z.string().min(1).describe('draft, outline, evidence'),
});

const strings = () => unlessNull(stringList(z.array(z.string()).max(50)));

/** The result that a delegated child returns. */
export const TaskResult = z.object({
  summary: z.string().min(1).max(20_000),
  status: z.enum(['completed', 'failed']).default('completed'),
  confidence: unlessNull(z.enum(['low', 'medium', 'high'])),
  artifacts: unlessNull(list(z.array(Artifact).max(20))).describe('files of your own: path, kind, role'),
  findings: unlessNull(list(z.array(z.json()).max(100))),
  warnings: strings(),
  suggestedNextActions: strings(),
  questionsForCaller: strings(),
});
export type TaskResult = z.output<typeof TaskResult>;
