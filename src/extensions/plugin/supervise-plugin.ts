import { PluginFailure } from './plugin-failure.ts';
import type { PluginProcess } from './plugin-process.ts';

/** It is started once, and once more after it was gone. */
const mostStarts = 2;

/** The process of a plug-in, whichever it is at the time. */
export interface SupervisedPlugin {
  /** One that runs, started where there is none. Rejects with `PluginFailure`: `over` where it has been started often enough. */
  running(signal: AbortSignal): Promise<PluginProcess>;
  /** The one that runs; null where there is none. */
  current(): Promise<PluginProcess | null>;
  /** False once it is not started again. */
  mayStart(): boolean;
  /** Ends it; no process of it is left when this settles. */
  close(): Promise<void>;
}

/** Keeps a process that `start` starts; `restarted` is told of one that had to be started again. */
export function supervisePlugin(
  start: (signal: AbortSignal) => Promise<PluginProcess>,
  restarted: (process: PluginProcess) => void,
): SupervisedPlugin {
  const closing = new AbortController();
  let latest: Promise<PluginProcess> | null = null;
  let starts = 0;
  let turn: Promise<unknown> = Promise.resolve();
  /** The latest process, or how it ended; null before the first. */
  const look = async (): Promise<PluginProcess | PluginFailure | null> => {
    const process = await latest?.catch((error: unknown) =>
      // An abort of whoever was the first to need it says nothing about it.
      error instanceof PluginFailure ? error : new PluginFailure('ended', 'was not started to its end'),
    );
    if (process === undefined || process instanceof PluginFailure) return process ?? null;
    // One that hangs would let every later call wait in vain.
    if (!(await process.answers())) await process.stop();
    return process.ended() ?? process;
  };
  const running = async (signal: AbortSignal): Promise<PluginProcess> => {
    const found = await look();
    if (found !== null && !(found instanceof PluginFailure)) return found;
    if (closing.signal.aborted) throw new PluginFailure('over', 'has ended with its run');
    if (starts >= mostStarts) throw new PluginFailure('over', found?.message ?? 'has ended', found?.said);
    starts += 1;
    latest = start(AbortSignal.any([signal, closing.signal]));
    latest.catch(() => undefined);
    const process = await latest;
    if (starts > 1) restarted(process);
    return process;
  };
  return {
    // One at a time, so that calls that come together start one process.
    running(signal) {
      const next = turn.then(() => running(signal));
      turn = next.catch(() => undefined);
      return next;
    },
    async current() {
      const process = await latest?.catch(() => null);
      return process?.ended() === null ? process : null;
    },
    mayStart: () => starts < mostStarts && !closing.signal.aborted,
    async close() {
      closing.abort(new PluginFailure('over', 'has ended with its run'));
      await turn;
      await (await latest?.catch(() => null))?.stop();
    },
  };
}
