/** Clock for waiting on GitHub. `later` returns a function that cancels the call. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  later(milliseconds: number, run: () => void): () => void;
}

/** System clock; its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** System clock whose timers keep the process alive, for awaited work. */
export const wakingClock: Clock = {
  now: () => Date.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
