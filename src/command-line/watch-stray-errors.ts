import { RunStopped } from '../contract/errors.ts';
import { internalError } from '../contract/internal-error.ts';

/** Milliseconds until a process that still has not ended after a stray error is ended at once. */
const lastMs = 120_000;

/**
 * Ends what runs, with all that it has done kept, at an error that nothing caught: Node hands on unhandled rejections, too. `report` gets
 * each such error; `exit` is called two minutes after the first. Returns true once there was one.
 */
export function watchStrayErrors(
  source: Pick<NodeJS.Process, 'on'>,
  stopped: AbortController,
  {
    report,
    exit,
    later = afterTime,
  }: {
    readonly report: (error: unknown) => void;
    readonly exit: () => void;
    /** Calls once that many milliseconds have passed; another clock in tests. */
    readonly later?: (act: () => void, milliseconds: number) => void;
  },
): () => boolean {
  let isBroken = false;
  source.on('uncaughtException', (error) => {
    report(error);
    if (isBroken) return;
    isBroken = true;
    later(exit, lastMs);
    stopped.abort(new RunStopped(internalError(error), { cause: error }));
  });
  return () => isBroken;
}

/** A timer that keeps no process alive. */
function afterTime(act: () => void, milliseconds: number): void {
  setTimeout(act, milliseconds).unref();
}
