/** Work that is done again and again until it is stopped. */
export interface RegularWork {
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

/** Does work now and every so many milliseconds, one after the other. `work` never rejects. */
export function workRegularly(work: () => Promise<void>, intervalMs: number): RegularWork {
  let current = work();
  const timer = setInterval(() => {
    current = current.then(work);
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
