import { createContext, Script } from 'node:vm';

/**
 * Does work that never waits, and stops it in the middle after so many milliseconds: a parser or a regular
 * expression that a text was made for to take hours would stop everything else, the clock and an abort among it.
 * Null where it was stopped. What the work throws goes through. Costs about 0.2 ms.
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

/** The error is of the context the script ran in, so it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
