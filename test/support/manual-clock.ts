import type { Clock } from '../../src/github/clock.ts';

/** A clock that stands until it is moved. */
export function manualClock(): Clock & { advance(milliseconds: number): void } {
  let now = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  return {
    now: () => now,
    later(milliseconds, run) {
      const key = {};
      timers.set(key, { at: now + milliseconds, run });
      return () => timers.delete(key);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const [key, timer] of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(key);
        timer.run();
      }
    },
  };
}
