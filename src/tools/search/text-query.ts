import type { FoundLine } from './found-line.ts';

/** What to look for in the text of files. */
export interface TextQuery {
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly wordMatch: boolean;
  readonly glob: string | undefined;
  /** Matches shown of one file. */
  readonly maxMatches: number;
  /** Lines around each match. */
  readonly context: number;
}

/** What was found, sorted by path and line within each place, and what is not shown of it. */
export interface TextResult {
  readonly lines: readonly FoundLine[];
  /** Matches that were found and left out, beyond 256 KiB of them. */
  readonly dropped: number;
  /** Why a program was stopped before it had seen everything, so that nobody knows how much more there is. */
  readonly unfinished: 'size' | 'time' | null;
  /** True when there was a match in a line of megabytes, which is not in `lines`. */
  readonly tooLong: boolean;
  /** Files with more matches than are shown of one. */
  readonly capped: readonly string[];
  /** Files with matches that are not shown because credentials are kept there. */
  readonly withheld: readonly string[];
  /** Places that could not be searched, in words. */
  readonly problems: readonly string[];
  /** Lines that were found and are not in the files any more. */
  readonly changed?: number;
}

/** True where something was found that is not shown, or something not looked at. */
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
