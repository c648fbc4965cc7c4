/** What was promised, or the signal's reason where that comes first: whoever promised it may not heed the signal. */
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
