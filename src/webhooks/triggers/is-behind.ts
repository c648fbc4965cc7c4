/** A pull request as an event told of it. */
export interface ToldPull {
  readonly head: string;
  /** The name of the base branch; null where only the head is known. */
  readonly base: string | null;
  /** By GitHub's clock, milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The same as a read of the API gives it. */
export type ReadPull = ToldPull & { readonly base: string };

/**
 * True for a read that is of before what an event told, as copies of GitHub's data are seconds late. Times are GitHub's, to the
 * second: within one, another head may be of before or after. Pure.
 */
export function isBehind(read: ReadPull, told: ToldPull | null): boolean {
  if (told === null || read.updatedAt > told.updatedAt) return false;
  return read.head !== told.head || (told.base !== null && read.base !== told.base);
}
