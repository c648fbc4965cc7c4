import { RunStopped } from '../contract/errors.ts';

/** Milliseconds for a run to end normally after an uncaught error in the process. */
const graceMs = 5_000;

/**
 * Returns the result of a run. Throws some seconds after the signal was aborted for an uncaught
 * error: what the run waits for may never come.
 */
export async function unlessOverdue<Result>(
  running: Promise<Result>,
  signal: AbortSignal,
  waitMs = graceMs,
): Promise<Result> {
  const overdue = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    const { reason } = signal;
    if (!(reason instanceof RunStopped) || reason.reason.kind !== 'internal_error') return;
    timer = setTimeout(() => overdue.reject(reason), waitMs);
  };
  signal.addEventListener('abort', start, { once: true });
  if (signal.aborted) start();
  try {
    return await Promise.race([running, overdue.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', start);
  }
}
