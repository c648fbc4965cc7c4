import { internalError, RunStopped } from '../../contract/errors.ts';

/** Milliseconds after a stray error until the process is ended by force. */
const lastMs = 120_000;

/**
 * Ends the run of an uncaught error or unhandled rejection, with its results. `stopOf` returns the
 * controller of the run, or null once it is over. It is called in the error's own asynchronous
 * context. `report` gets each error. `exit` is called two minutes after the first one of a run. The
 * returned function is true once there was an error.
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
    /** Calls `act` after that many milliseconds; replaced in tests. */
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
