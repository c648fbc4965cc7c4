/** Describes the end of a process as a clause. */
export function describeEnd({
  exitCode,
  signal,
}: {
  readonly exitCode: number | null;
  readonly signal: string | null;
}): string {
  return exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
}
