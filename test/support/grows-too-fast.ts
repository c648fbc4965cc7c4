/** The least processor time of two runs, in milliseconds. */
function timeOf(work: () => unknown): number {
  const times = [1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...times);
}

/** Too little to be told from the clock's own noise, in milliseconds. */
const noise = 1;
const longest = 16_384;

/**
 * Whether a text (or what else is given) of four times the length takes more than nine times as
 * long, from the length on that can be measured, and four times that again. Linear growth is 4 and
 * quadratic 16; a reader that displays long text differently makes a single step.
 */
export function growsTooFast<Given>(
  read: (given: Given) => unknown,
  text: (length: number) => Given,
): boolean {
  for (let length = 1_024; length <= longest; length *= 2) {
    const short = text(length);
    const time = timeOf(() => read(short));
    if (time < noise) continue;
    const [long, longer] = [text(4 * length), text(16 * length)];
    const timeOfLong = timeOf(() => read(long));
    return timeOfLong > 9 * time && timeOf(() => read(longer)) > 9 * timeOfLong;
  }
  return false;
}
