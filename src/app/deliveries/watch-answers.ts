/** How often an answer is asked for within the longest silence. */
const asks = 12;

/**
 * Looks whether something still answers, until it is stopped. Calls `lost` once nothing was answered for `longestSilence` milliseconds.
 * Asks are counted, not time: where this process itself was stopped for an hour, nothing else has been silent meanwhile.
 */
export function watchAnswers(
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

/** A timer that keeps no process alive. */
function everyMs(act: () => void, milliseconds: number): () => void {
  const timer = setInterval(act, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
