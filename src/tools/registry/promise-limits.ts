import { setTimeout as sleep } from 'node:timers/promises';

/** Returns true if a promise resolves or rejects within so many milliseconds. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the promised value, or rejects with the signal's reason if that comes first. */
export async function unlessAborted<Value>(promised: Promise<Value>, signal: AbortSignal): Promise<Value> {
  promised.catch(() => undefined);
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promised, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves after some milliseconds. Rejects with the signal's reason. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
