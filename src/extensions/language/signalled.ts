/** Ends all waits. */
export function signalAll(waiting: ReadonlySet<() => void>): void {
  for (const resolve of [...waiting]) resolve();
}

/** Resolves when signalled or after a time-out. Rejects with the abort's reason. */
export async function signalled(
  waiting: Set<() => void>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(resolve, milliseconds);
  waiting.add(resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    waiting.delete(resolve);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
