import type { Finding } from '../contract/findings.ts';
import { addedLines, type ChangedFile } from './changed-file.ts';

/** In prose such lines are headings and quotes; there only a whole conflict counts. */
const prose = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org)$/i;
const begins = /^<{7}(?: |$)/;
const separates = /^={7}$/;
const ends = /^>{7}(?: |$)/;

/**
 * Finds added conflict markers (git-merge, "How conflicts are presented"): one finding for a whole
 * conflict, and one for each leftover.
 */
export function findConflicts(file: ChangedFile): Finding[] {
  // Nearly every file has none, so one search of the whole is fastest.
  if (!/^(?:<{7}|>{7})/m.test(file.after ?? '')) return [];
  const found: Finding[] = [];
  let start: number | null = null;
  let separated = false;
  const addLeftOver = (line: number | null) => {
    if (line !== null && !prose.test(file.path)) found.push(finding(file.path, line, line));
  };
  for (const { line, text } of addedLines(file)) {
    if (begins.test(text)) {
      addLeftOver(start);
      [start, separated] = [line, false];
    } else if (separates.test(text)) separated = true;
    else if (ends.test(text)) {
      if (start !== null && separated) found.push(finding(file.path, start, line));
      else addLeftOver(line);
      start = null;
    }
  }
  addLeftOver(start);
  return found;
}

function finding(path: string, first: number, last: number): Finding {
  const whole = first < last;
  return {
    path,
    side: 'RIGHT',
    start_line: whole ? first : undefined,
    line: last,
    severity: 'high',
    category: 'conflict',
    title: whole ? 'An unresolved merge conflict' : 'A conflict marker is left',
    body: whole
      ? 'Both sides of a merge conflict and the markers around them are committed here.'
      : 'This line is a marker of a merge conflict, left over from resolving it.',
    check: 'conflicts',
  };
}
