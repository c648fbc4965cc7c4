/** A pull request as an event reported it. */
export interface ReportedPull {
  readonly head: string;
  /** The base branch; null if only the head is known. */
  readonly base: string | null;
  /** By GitHub's clock, milliseconds since 1970. */
  readonly updatedAt: number;
}

/** A pull request as read from the API. */
export type ReadPull = ReportedPull & { readonly base: string };

/**
 * Returns true if a read is older than the reported version, since GitHub's copies lag by seconds.
 * Times are in whole seconds: within one, another head may be older or newer. Pure.
 */
export function isBehind(read: ReadPull, reported: ReportedPull | null): boolean {
  if (reported === null || read.updatedAt > reported.updatedAt) return false;
  return read.head !== reported.head || (reported.base !== null && read.base !== reported.base);
}
