/**
 * Orders the runs of a family that change the checkout: one call at a time, first come first
 * served.
 */
export interface ChangeQueue {
  /**
   * Waits for its turn; what comes back ends it. Throws the abort where the run ends while it
   * waits.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/**
 * Turns of the runs of one family. What a command changed is found by comparing the tree before
 * with the tree after, so nothing else may change it meanwhile: else one child's work would stand
 * in the ledger as another's, and be judged as that.
 */
export function createChangeQueue(): ChangeQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    async acquire(signal) {
      const before = last;
      const { promise, resolve: end } = Promise.withResolvers<void>();
      last = before.then(() => promise);
      try {
        await unlessAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}

function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    turn.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
