import { shownPath } from './shown-path.ts';
import type { TextQuery, TextResult } from './text-query.ts';

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
    ...(result.tooLong
      ? ['[there is a match in a line of over 4 MiB, which is not shown; look with bash]']
      : []),
    ...(result.withheld.length > 0
      ? [`[matches not shown, because credentials are kept there: ${files(result.withheld)}]`]
      : []),
    ...((result.changed ?? 0) > 0
      ? [`[lines not shown, because their files changed during the search: ${result.changed}]`]
      : []),
    ...result.problems.map((problem) => `[not searched: ${problem}]`),
  ];
}

function files(paths: readonly string[]): string {
  const more = paths.length - namedFiles;
  const shown = paths.slice(0, namedFiles).map(shownPath).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
