/**
 * Waits until `done`, looking again whenever one of the endings settles. False where `timeoutMs` milliseconds passed before. Throws
 * the abort.
 */
export async function waitFor(
  done: () => boolean,
  endings: () => readonly Promise<void>[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  signal.throwIfAborted();
  if (done()) return true;
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const late = new Promise<'late'>((resolve, reject) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    while (!done()) {
      if ((await Promise.race([late, ...endings()])) === 'late') return done();
    }
    return true;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
