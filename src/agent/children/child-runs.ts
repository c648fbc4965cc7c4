import { RunStopped, ToolError } from '../../contract/errors.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { noUsage } from '../../contract/usage.ts';
import type { ChildRequest, ChildResult, Children, ChildStatus } from '../../tools/services/children.ts';
import { mailNote, parentMailbox } from '../../tools/services/mailboxes.ts';
import type { RunFamily } from '../loop/run-family.ts';
import { agentKinds } from '../profiles/child-profile.ts';
import { type ChildRun, openChild } from './child-run.ts';

/** The children that run beside a run, for its tools and for the loop. */
export interface ChildRuns extends Children {
  /** What its parent is told between two turns: ends that it did not hear of, and messages; null for nothing. */
  news(): Promise<string | null>;
  /** What its parent is told, once, where it would end while some still run; null where none does. */
  unfinished(): string | null;
  /** Ends all of them and waits until they have ended. Throws what one of them broke with. */
  end(): Promise<void>;
}

/** One child with what it has been told and what came of it. */
interface Kept {
  readonly run: ChildRun;
  readonly title: string;
  readonly closing: AbortController;
  /** What it is to hear before its next turn. */
  readonly inbox: string[];
  state: ChildStatus['state'];
  result: ChildResult | null;
  /** Whether its last end was told to its parent. */
  told: boolean;
  /** Whether its parent knows that it has ended. */
  announced: boolean;
  /** Ends what it does now, so that it hears its inbox at once. */
  interrupt: AbortController;
  /** Settles when it has ended; null while it is not under way. */
  ending: Promise<void> | null;
  /** A defect of ours, which breaks the run. */
  broken: { readonly cause: unknown } | null;
}

/** Children of one run, which it starts without waiting for them. Count and places are those of its profile. */
export function openChildRuns(family: RunFamily, record: (entry: RunEntry) => void): ChildRuns {
  const { settings, delegations } = family;
  const kept = new Map<string, Kept>();
  let warned = false;
  let mail: (() => string | null) | null = null;

  const find = (id: string): Kept => {
    const child = kept.get(id.trim());
    if (child !== undefined) return child;
    const ids = [...kept.keys()];
    const there =
      ids.length === 0 ? 'This part of the run has started none.' : `There are: ${ids.join(', ')}.`;
    throw new ToolError('not_found', `There is no child ${id}. ${there}`);
  };

  /** Runs a child until it has nothing more to hear. */
  const drive = async (child: Kept, place: Promise<() => void>): Promise<void> => {
    let leave: (() => void) | null = null;
    try {
      leave = await place;
      do {
        child.state = 'running';
        child.interrupt = new AbortController();
        const signal = AbortSignal.any([child.closing.signal, child.interrupt.signal]);
        // Before its first turn it has its task to hear; what was added meanwhile comes between the turns.
        const words = child.result === null ? '' : child.inbox.splice(0).join('\n\n');
        child.result = await child.run.run(signal, words === '' ? null : words);
      } while (child.inbox.length > 0 && !child.closing.signal.aborted && !family.signal.aborted);
    } catch (error) {
      // The abort and the limits of the family end its parent as well, which says so.
      const isDefect = error instanceof RunStopped && error.reason.kind === 'internal_error';
      const ended = !isDefect && (error instanceof RunStopped || error instanceof ToolError);
      if (!ended && !family.signal.aborted && !child.closing.signal.aborted) child.broken = { cause: error };
    } finally {
      if (leave === null && child.result === null) record(neverRun(child.run.id));
      leave?.();
      child.state = child.closing.signal.aborted ? 'closed' : 'ended';
      child.told = false;
      child.announced = false;
      child.ending = null;
    }
  };
  const begin = (child: Kept) => {
    child.state = 'queued';
    const place = delegations.begin(AbortSignal.any([family.signal, child.closing.signal]));
    child.ending = drive(child, place);
  };
  const isUnderWay = ({ ending }: Kept) => ending !== null;
  const refuseBroken = () => {
    for (const { broken } of kept.values()) if (broken !== null) throw broken.cause;
  };

  return {
    agents: async () => agentKinds(settings.profile, settings.profiles),
    async start(request: ChildRequest) {
      if (delegations.left <= 0) (await delegations.begin(family.signal))();
      const inbox: string[] = [];
      const run = await openChild(request, family, record, () => hear(inbox));
      const child: Kept = {
        ...{ run, inbox, title: request.title, state: 'queued', result: null, told: false, announced: false },
        ...{ closing: new AbortController(), interrupt: new AbortController() },
        ...{ ending: null, broken: null },
      };
      kept.set(run.id, child);
      begin(child);
      return statusOf(child);
    },
    async send(id, words, { interrupt }) {
      const child = find(id);
      if (child.closing.signal.aborted) {
        throw new ToolError('closed', `The child ${id} was closed. Start another one.`);
      }
      if (!isUnderWay(child) && delegations.left <= 0) (await delegations.begin(family.signal))();
      child.inbox.push(words);
      if (!isUnderWay(child)) begin(child);
      else if (interrupt) {
        const message = 'The parent has something more urgent.';
        child.interrupt.abort(new RunStopped({ kind: 'cancelled', message }));
      }
      return statusOf(child);
    },
    async wait(ids, { until, timeoutMs }) {
      const chosen = ids === null ? [...kept.values()] : ids.map(find);
      refuseBroken();
      const isNew = (child: Kept) => !isUnderWay(child) && !child.told;
      const done = () =>
        until === 'now' || !chosen.some(isUnderWay) || (until === 'next' && chosen.some(isNew));
      const timedOut = !(await waitFor(done, () => chosen.flatMap(({ ending }) => ending ?? []), {
        timeoutMs,
        signal: family.signal,
      }));
      refuseBroken();
      const children = chosen.map(statusOf);
      for (const child of chosen) if (!isUnderWay(child)) child.told = true;
      return { children, timedOut };
    },
    async close(id) {
      const child = find(id);
      const message = 'The parent closed this child.';
      child.closing.abort(new RunStopped({ kind: 'cancelled', message }));
      await child.ending;
      child.state = 'closed';
      child.told = true;
      return statusOf(child);
    },
    list: async () => [...kept.values()].map(statusOf),
    async news() {
      mail ??= mailNote((await settings.services()).mailboxes, parentMailbox);
      const ended = [...kept.values()].filter(
        (child) => !isUnderWay(child) && !child.told && !child.announced,
      );
      for (const child of ended) child.announced = true;
      const endings =
        ended.length === 0
          ? []
          : [`Ended: ${namesOf(ended)}. agent_await or wait_agent gives what they brought back.`];
      const news = [...endings, ...[mail()].filter((one) => one !== null)];
      return news.length === 0 ? null : news.join('\n');
    },
    unfinished() {
      const running = [...kept.values()].filter(isUnderWay);
      if (running.length === 0 || warned) return null;
      warned = true;
      return `Agents that you started still run: ${namesOf(running)}. Wait for them with agent_await or wait_agent, or give your answer again to end without them.`;
    },
    async end() {
      const message = 'The parent has ended.';
      const all = [...kept.values()];
      for (const { closing } of all) closing.abort(new RunStopped({ kind: 'cancelled', message }));
      await Promise.all(all.map(({ ending }) => ending));
      refuseBroken();
    },
  };
}

/** Of a child that ended before it had a place to run in. */
function neverRun(id: string): RunEntry {
  const done = { conclusion: 'cancelled', summary: '', turns: 0, usage: noUsage, cost_usd: 0 } as const;
  return { type: 'child_run.result', child_run_id: id, ...done };
}

/** What a child is told between two turns; null where nothing is to be told. */
function hear(inbox: string[]): string | null {
  const words = inbox.splice(0);
  return words.length === 0 ? null : `The agent that started you adds:\n${words.join('\n\n')}`;
}

const namesOf = (children: readonly Kept[]): string =>
  children.map(({ run, title }) => `${run.id} (${title})`).join(', ');

function statusOf({ run, title, state, result }: Kept): ChildStatus {
  const { id, profile, readOnly } = run;
  return { id, title, profile, readOnly, state, result, returned: result?.returned ?? null };
}

/**
 * Waits until `done`, looking again whenever one of the endings settles. False where `timeoutMs` milliseconds passed before. Throws
 * the abort.
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
