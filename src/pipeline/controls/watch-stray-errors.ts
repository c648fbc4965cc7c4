import { internalError, RunStopped } from '../../contract/errors.ts';

/** Milliseconds until a process that still has not ended after a stray error is ended at once. */
const lastMs = 120_000;

/**
 * Ends what an error is of that nothing caught, with all that it has done kept: Node hands on unhandled rejections, too. `stopOf` gives what
 * ends it, or null where it is over; it is called in the error's own asynchronous context. `report` gets each such error. `exit` is called
 * two minutes after the first of what was ended. Returns true once there was one.
 */
export function watchStrayErrors(
  source: Pick<NodeJS.Process, 'on'>,
  stopOf: () => AbortController | null,
  {
    report,
    exit,
    later = afterTime,
  }: {
    readonly report: (error: unknown) => void;
    readonly exit: (stopped: AbortController) => void;
    /** Calls once that many milliseconds have passed; another clock in tests. */
    readonly later?: (act: () => void, milliseconds: number) => void;
  },
): () => boolean {
  let isBroken = false;
  const ended = new WeakSet<AbortController>();
  source.on('uncaughtException', (error) => {
    report(error);
    isBroken = true;
    const stopped = stopOf();
    if (stopped === null || ended.has(stopped)) return;
    ended.add(stopped);
    later(() => exit(stopped), lastMs);
    stopped.abort(new RunStopped(internalError(error), { cause: error }));
  });
  return () => isBroken;
}

/** A timer that keeps no process alive. */
function afterTime(act: () => void, milliseconds: number): void {
  setTimeout(act, milliseconds).unref();
}
