import type { FoundLine } from './found-line.ts';

/** A query for text in files. */
export interface TextQuery {
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly wordMatch: boolean;
  readonly glob: string | undefined;
  /** Maximum matches per file. */
  readonly maxMatches: number;
  /** Context lines around each match. */
  readonly context: number;
}

/** A result sorted by path and line within each root, with counts of omitted matches. */
export interface TextResult {
  readonly lines: readonly FoundLine[];
  /** Matches dropped beyond 256 KiB. */
  readonly dropped: number;
  /** Reason a program was stopped early, so that the rest is unknown. */
  readonly unfinished: 'size' | 'time' | null;
  /** True if a line of megabytes matched, which is not in `lines`. */
  readonly tooLong: boolean;
  /** Files with more matches than the maximum per file. */
  readonly capped: readonly string[];
  /** Files with matches that are excluded because they hold credentials. */
  readonly withheld: readonly string[];
  /** Roots that could not be searched, as sentences. */
  readonly problems: readonly string[];
  /** Found lines that are no longer in the files. */
  readonly changed?: number;
}

/** True if matches were omitted or something was not searched. */
export function isTruncated(result: TextResult): boolean {
  return (
    result.dropped > 0 ||
    result.unfinished !== null ||
    result.tooLong ||
    result.capped.length > 0 ||
    result.withheld.length > 0 ||
    (result.changed ?? 0) > 0 ||
    result.problems.length > 0
  );
}
