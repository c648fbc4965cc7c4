import { unlessAborted } from '../../tools/registry/promise-limits.ts';

/** Orders the calls of a run tree that may change the checkout, one at a time. */
export interface ChangeQueue {
  /** Waits for its turn. Returns a function that ends it. Throws the reason of an abort. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/**
 * Creates the queue of one run tree. Changes of a command are found by comparing the tree before
 * and after it. Changes by others in between would be recorded and evaluated as its own.
 */
export function createChangeQueue(): ChangeQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    async acquire(signal) {
      const before = last;
      const { promise, resolve: end } = Promise.withResolvers<void>();
      last = before.then(() => promise);
      try {
        signal.throwIfAborted();
        await unlessAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}
