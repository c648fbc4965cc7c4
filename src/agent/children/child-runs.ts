import { RunStopped, ToolError } from '../../contract/errors.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { noUsage } from '../../contract/usage-sums.ts';
import type {
  AgentKind,
  ChildRequest,
  ChildResult,
  Children,
  ChildStatus,
} from '../../tools/services/children.ts';
import { mailReminder, parentMailbox } from '../../tools/services/mailboxes.ts';
import type { RunTree } from '../loop/run-tree.ts';
import { agentKinds } from '../profiles/child-profile.ts';
import { type ChildRun, openChild } from './child-run.ts';

/** The children that run beside a run, for its tools and for the loop. */
export interface ChildRuns extends Children {
  /** Reports to the parent between two turns: ended children and messages. Null for nothing. */
  news(): Promise<string | null>;
  /** Reports once to a parent that would end while children still run. Null if none does. */
  unfinished(): string | null;
  /** Ends all of them and waits until they have ended. Throws what one of them broke with. */
  end(): Promise<void>;
}

/** One child with its task and its results. */
interface Child {
  readonly run: ChildRun;
  readonly title: string;
  readonly closing: AbortController;
  /** Texts for it before its next turn. */
  readonly inbox: string[];
  state: ChildStatus['state'];
  result: ChildResult | null;
  /** True if its last end was reported to its parent. */
  isReported: boolean;
  /** True if its parent knows that it has ended. */
  isAnnounced: boolean;
  /** Ends its current work so that it reads its inbox immediately. */
  interrupt: AbortController;
  /** Resolves when it has ended; null if it is not running. */
  ending: Promise<void> | null;
  /** A defect of ours, which ends the whole run. */
  defect: { readonly cause: unknown } | null;
}

/**
 * Starts the children of one run without waiting for them. Its profile limits how many there are,
 * and how many run at once.
 */
export function openChildRuns(runTree: RunTree, record: (entry: RunEntry) => void): ChildRuns {
  return new BackgroundChildren(runTree, record);
}

class BackgroundChildren implements ChildRuns {
  readonly #family: RunTree;
  readonly #record: (entry: RunEntry) => void;
  readonly #children = new Map<string, Child>();
  #hasWarned = false;
  #mail: (() => string | null) | null = null;

  constructor(runTree: RunTree, record: (entry: RunEntry) => void) {
    this.#family = runTree;
    this.#record = record;
  }

  async kinds(): Promise<AgentKind[]> {
    const { profile, profiles } = this.#family.settings;
    return agentKinds(profile, profiles);
  }

  async start(request: ChildRequest): Promise<ChildStatus> {
    await this.#requireSlot();
    const inbox: string[] = [];
    const run = await openChild(request, this.#family, this.#record, () => readInbox(inbox));
    const child: Child = {
      ...{ run, inbox, title: request.title, state: 'queued', result: null },
      ...{ isReported: false, isAnnounced: false, ending: null, defect: null },
      ...{ closing: new AbortController(), interrupt: new AbortController() },
    };
    this.#children.set(run.id, child);
    this.#begin(child);
    return statusOf(child);
  }

  async send(id: string, text: string, { interrupt }: { readonly interrupt: boolean }): Promise<ChildStatus> {
    const child = this.#find(id);
    if (child.closing.signal.aborted)
      throw new ToolError('closed', `The child ${id} was closed. Start another one.`);
    if (!isRunning(child)) await this.#requireSlot();
    child.inbox.push(text);
    if (!isRunning(child)) this.#begin(child);
    else if (interrupt) child.interrupt.abort(cancelled('The parent has something more urgent.'));
    return statusOf(child);
  }

  async wait(
    ids: readonly string[] | null,
    { until, timeoutMs }: Parameters<Children['wait']>[1],
  ): ReturnType<Children['wait']> {
    const chosen = ids === null ? this.#all() : ids.map((id) => this.#find(id));
    this.#throwDefect();
    const isNew = (child: Child) => !isRunning(child) && !child.isReported;
    const isDone = () =>
      until === 'now' || !chosen.some(isRunning) || (until === 'next' && chosen.some(isNew));
    const timedOut = !(await waitFor(isDone, () => chosen.flatMap(({ ending }) => ending ?? []), {
      timeoutMs,
      signal: this.#family.signal,
    }));
    this.#throwDefect();
    const children = chosen.map(statusOf);
    for (const child of chosen) if (!isRunning(child)) child.isReported = true;
    return { children, timedOut };
  }

  async close(id: string): Promise<ChildStatus> {
    const child = this.#find(id);
    child.closing.abort(cancelled('The parent closed this child.'));
    await child.ending;
    child.state = 'closed';
    child.isReported = true;
    return statusOf(child);
  }

  async list(): Promise<ChildStatus[]> {
    return this.#all().map(statusOf);
  }

  async news(): Promise<string | null> {
    this.#mail ??= mailReminder((await this.#family.settings.services()).mailboxes, parentMailbox);
    const ended = this.#all().filter((child) => !isRunning(child) && !child.isReported && !child.isAnnounced);
    for (const child of ended) child.isAnnounced = true;
    const endings =
      ended.length === 0
        ? null
        : `Ended: ${namesOf(ended)}. agent_await or wait_agent returns their results.`;
    const news = [endings, this.#mail()].filter((one) => one !== null);
    return news.length === 0 ? null : news.join('\n');
  }

  unfinished(): string | null {
    const running = this.#all().filter(isRunning);
    if (running.length === 0 || this.#hasWarned) return null;
    this.#hasWarned = true;
    return `Agents that you started still run: ${namesOf(running)}. Wait for them with agent_await or wait_agent, or give your answer again to end without them.`;
  }

  async end(): Promise<void> {
    const all = this.#all();
    for (const { closing } of all) closing.abort(cancelled('The parent has ended.'));
    await Promise.all(all.map(({ ending }) => ending));
    this.#throwDefect();
  }

  #all(): Child[] {
    return [...this.#children.values()];
  }

  #find(id: string): Child {
    const child = this.#children.get(id.trim());
    if (child !== undefined) return child;
    const ids = [...this.#children.keys()];
    const there =
      ids.length === 0 ? 'This part of the run has started none.' : `There are: ${ids.join(', ')}.`;
    throw new ToolError('not_found', `There is no child ${id}. ${there}`);
  }

  /** Throws `ToolError` if the run may start no more children. */
  async #requireSlot(): Promise<void> {
    const { delegations, signal } = this.#family;
    if (delegations.left <= 0) (await delegations.begin(signal))();
  }

  #throwDefect(): void {
    for (const { defect } of this.#children.values()) if (defect !== null) throw defect.cause;
  }

  #begin(child: Child): void {
    const { delegations, signal } = this.#family;
    child.state = 'queued';
    child.ending = this.#drive(child, delegations.begin(AbortSignal.any([signal, child.closing.signal])));
  }

  /** Runs a child until its inbox is empty. */
  async #drive(child: Child, slot: Promise<() => void>): Promise<void> {
    let leave: (() => void) | null = null;
    try {
      leave = await slot;
      do await runOnce(child);
      while (child.inbox.length > 0 && !this.#isEnding(child));
    } catch (error) {
      if (!isEnd(error) && !this.#isEnding(child)) child.defect = { cause: error };
    } finally {
      if (leave === null && child.result === null) this.#record(neverRun(child.run.id));
      leave?.();
      child.state = child.closing.signal.aborted ? 'closed' : 'ended';
      child.isReported = false;
      child.isAnnounced = false;
      child.ending = null;
    }
  }

  #isEnding({ closing }: Child): boolean {
    return closing.signal.aborted || this.#family.signal.aborted;
  }
}

const isRunning = ({ ending }: Child): boolean => ending !== null;

async function runOnce(child: Child): Promise<void> {
  child.state = 'running';
  child.interrupt = new AbortController();
  const signal = AbortSignal.any([child.closing.signal, child.interrupt.signal]);
  // The first run has its task; text added since then comes between its turns.
  const text = child.result === null ? '' : child.inbox.splice(0).join('\n\n');
  child.result = await child.run.run(signal, text === '' ? null : text);
}

/** True for an abort or a limit of the run tree, which ends the parent as well. */
function isEnd(error: unknown): boolean {
  if (error instanceof RunStopped) return error.reason.kind !== 'internal_error';
  return error instanceof ToolError;
}

function cancelled(message: string): RunStopped {
  return new RunStopped({ kind: 'cancelled', message });
}

/** The result of a child that ended before it got a slot. */
function neverRun(id: string): RunEntry {
  const done = { conclusion: 'cancelled', summary: '', turns: 0, usage: noUsage, cost_usd: 0 } as const;
  return { type: 'child_run.result', child_run_id: id, ...done };
}

/** Returns a child's messages between two turns. Null for nothing. */
function readInbox(inbox: string[]): string | null {
  const texts = inbox.splice(0);
  return texts.length === 0 ? null : `The agent that started you adds:\n${texts.join('\n\n')}`;
}

const namesOf = (children: readonly Child[]): string =>
  children.map(({ run, title }) => `${run.id} (${title})`).join(', ');

function statusOf({ run, title, state, result }: Child): ChildStatus {
  const { id, profile, readOnly } = run;
  return { id, title, profile, readOnly, state, result, returned: result?.returned ?? null };
}

/**
 * Waits until `done`, checked again when one of the endings resolves. Returns false after
 * `timeoutMs` milliseconds. Throws the abort.
 */
export async function waitFor(
  done: () => boolean,
  endings: () => readonly Promise<void>[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  signal.throwIfAborted();
  if (done()) return true;
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const late = new Promise<'late'>((resolve, reject) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    while (!done()) {
      if ((await Promise.race([late, ...endings()])) === 'late') return done();
    }
    return true;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
