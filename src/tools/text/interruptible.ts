import { createContext, Script } from 'node:vm';

/**
 * Runs synchronous work, and stops it after some milliseconds. A parser or regular expression on
 * hostile text would otherwise block everything, including timers and aborts. Null if it was
 * stopped. Errors of the work are thrown. Costs about 0.2 ms.
 */
export function withinTime<Result>(ms: number, work: () => Result): { readonly result: Result } | null {
  let done: { readonly result: Result } | null = null;
  const job = () => {
    done = { result: work() };
  };
  try {
    new Script('job()').runInContext(createContext({ job }), { timeout: ms });
    return done;
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

/** The error belongs to the script's context, so it is not an `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
