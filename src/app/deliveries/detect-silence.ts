/** Number of pings within the timeout. */
const asks = 12;

/**
 * Pings until it is stopped, and calls `lost` after `longestSilence` milliseconds without a
 * response. Pings are counted instead of time: if this process was suspended, nothing else was
 * silent.
 */
export function detectSilence(
  ask: () => Promise<unknown>,
  longestSilence: number,
  lost: () => void,
  every: (act: () => void, milliseconds: number) => () => void = everyMs,
): { stop(): void } {
  let unanswered = 0;
  let waiting = false;
  const stop = every(() => {
    if (waiting) {
      unanswered += 1;
      if (unanswered >= asks) {
        stop();
        lost();
      }
      return;
    }
    waiting = true;
    ask()
      .catch(() => undefined)
      .finally(() => {
        waiting = false;
        unanswered = 0;
      });
  }, longestSilence / asks);
  return { stop };
}

/** Timer that does not keep the process alive. */
function everyMs(act: () => void, milliseconds: number): () => void {
  const timer = setInterval(act, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
