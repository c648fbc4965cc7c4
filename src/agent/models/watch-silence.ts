/** The first is told after this part of what ends the try, and each next one after twice as long. */
const firstNotice = 0.1;

/**
 * Tells of a provider that says nothing: `told` gets the milliseconds since the last call of `heard`, first after a tenth of
 * `limitMs`, then after twice that, and so on. `end` must be called.
 */
export function watchSilence(
  limitMs: number,
  told: (silentMs: number) => unknown,
): { heard(): void; end(): void } {
  let silentMs = limitMs * firstNotice;
  const notice = () => {
    told(silentMs);
    timer = setTimeout(notice, silentMs);
    silentMs *= 2;
  };
  let timer = setTimeout(notice, silentMs);
  return {
    heard() {
      if (silentMs === limitMs * firstNotice) timer.refresh();
      else {
        clearTimeout(timer);
        silentMs = limitMs * firstNotice;
        timer = setTimeout(notice, silentMs);
      }
    },
    end: () => clearTimeout(timer),
  };
}
