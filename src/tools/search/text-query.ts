import { displayPath, type FoundLine } from './found-line.ts';

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
  readonly hasLongLine: boolean;
  /** Files with more matches than the maximum per file. */
  readonly capped: readonly string[];
  /** Files with matches that are excluded because they hold credentials. */
  readonly excluded: readonly string[];
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
    result.hasLongLine ||
    result.capped.length > 0 ||
    result.excluded.length > 0 ||
    (result.changed ?? 0) > 0 ||
    result.problems.length > 0
  );
}

/** Maximum files named in a note. */
const namedFiles = 5;

/** Reports matches that were found and are not displayed. */
export function droppedNotes(result: TextResult, { maxMatches }: Pick<TextQuery, 'maxMatches'>): string[] {
  const narrow = 'narrow the pattern, path or glob';
  const { dropped, unfinished } = result;
  const count = `${dropped} more ${dropped === 1 ? 'match' : 'matches'}`;
  return [
    ...(result.capped.length > 0
      ? [
          `[more than ${maxMatches} ${maxMatches === 1 ? 'match' : 'matches'}, of which the first are shown, in: ${files(result.capped)}; raise max_matches]`,
        ]
      : []),
    ...(dropped > 0 && unfinished === null
      ? [`[${count} beyond 256 KiB of output left out; ${narrow}]`]
      : []),
    ...(unfinished === 'size' ? [`[stopped after 8 MiB of matches, 256 KiB of them shown; ${narrow}]`] : []),
    ...(unfinished === 'time'
      ? [`[stopped after 60 seconds, before everything was searched; ${narrow}]`]
      : []),
    ...(result.hasLongLine
      ? ['[there is a match in a line of over 4 MiB, which is not shown; look with bash]']
      : []),
    ...(result.excluded.length > 0
      ? [`[matches not shown, because credentials are kept there: ${files(result.excluded)}]`]
      : []),
    ...((result.changed ?? 0) > 0
      ? [`[lines not shown, because their files changed during the search: ${result.changed}]`]
      : []),
    ...result.problems.map((problem) => `[not searched: ${problem}]`),
  ];
}

function files(paths: readonly string[]): string {
  const more = paths.length - namedFiles;
  const shown = paths.slice(0, namedFiles).map(displayPath).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Escapes text for use in a regular expression. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
