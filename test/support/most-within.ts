/** The most of these times that lie in one window of that length. */
export function mostWithin(times: readonly number[], window: number): number {
  return Math.max(
    0,
    ...times.map((start) => times.filter((at) => at >= start && at < start + window).length),
  );
}
