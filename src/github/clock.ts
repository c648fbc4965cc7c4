/** Time, as far as waiting for GitHub needs it. `later` gives back what takes the call back. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  later(milliseconds: number, run: () => void): () => void;
}

/** The clock of this machine; a timer that waits keeps no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The same, where somebody waits for what the timer does: it keeps the process alive. */
export const wakingClock: Clock = {
  now: () => Date.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
