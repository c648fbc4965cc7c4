/**
 * Milliseconds since this process began, with fractions; a change of the machine's clock does not
 * affect them. `performance.now` gives the same, but its first use loads a library of measurements,
 * which would delay a run.
 */
export function monotonicMs(): number {
  return process.uptime() * 1_000;
}
