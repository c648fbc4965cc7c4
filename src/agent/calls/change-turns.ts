/** Who of a family may change the checkout now: one call at a time, in the order in which they asked. */
export interface ChangeTurns {
  /** Waits for its turn; what comes back ends it. Throws the abort where the run ends while it waits. */
  take(signal: AbortSignal): Promise<() => void>;
  /** A look at the checkout, which whoever changes it next waits for; what comes back ends it. Null while somebody changes it, or is about to. */
  look(): (() => void) | null;
}

/**
 * Turns of the runs of one family. What a command changed is found by comparing the tree before with the tree after, so nothing else
 * may change it meanwhile: else one child's work would stand in the ledger as another's, and be judged as that.
 */
export function createChangeTurns(): ChangeTurns {
  let last: Promise<unknown> = Promise.resolve();
  let changing = 0;
  return {
    async take(signal) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      changing += 1;
      let ended = false;
      const end = () => {
        if (!ended) changing -= 1;
        ended = true;
        resolve();
      };
      last = before.then(() => promise);
      try {
        await unlessAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    look() {
      if (changing > 0) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = Promise.all([last, promise]);
      return resolve;
    },
  };
}

function unlessAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<void> {
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
