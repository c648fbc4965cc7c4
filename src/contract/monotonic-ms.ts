/**
 * Milliseconds since this process began, with fractions; they never jump when the machine's clock
 * is set. `performance.now` says nothing else, but the first use of `performance` loads a library
 * of measurements, which a run would wait for.
 */
export function monotonicMs(): number {
  return process.uptime() * 1_000;
}
