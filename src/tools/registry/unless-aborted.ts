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
