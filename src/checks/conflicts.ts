import type { Finding } from '../contract/findings.ts';
import { type AddedLine, addedLines, type ChangedFile } from './changed-file.ts';

/** In prose such lines are headings and quotes; there only a whole conflict counts. */
const prose = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org)$/i;
const begins = /^<{7}(?: |$)/;
const separates = /^={7}$/;
const ends = /^>{7}(?: |$)/;

/**
 * Conflict markers that a change brings (git-merge, "How conflicts are presented"): a whole conflict as one
 * finding, and what is left of one.
 */
export function findConflicts(file: ChangedFile): Finding[] {
  // Nearly every file has none, which one look at the whole tells soonest.
  if (!/^(?:<{7}|>{7})/m.test(file.after ?? '')) return [];
  const found: Finding[] = [];
  let open: { start: AddedLine; separated: boolean } | null = null;
  const leftOver = (line: number) => {
    if (!prose.test(file.path)) found.push(finding(file.path, line, line));
  };
  for (const added of addedLines(file)) {
    if (begins.test(added.text)) {
      if (open !== null) leftOver(open.start.line);
      open = { start: added, separated: false };
    } else if (open !== null && separates.test(added.text)) open.separated = true;
    else if (ends.test(added.text)) {
      if (open?.separated === true) found.push(finding(file.path, open.start.line, added.line));
      else leftOver(added.line);
      open = null;
    }
  }
  if (open !== null) leftOver(open.start.line);
  return found;
}

function finding(path: string, first: number, last: number): Finding {
  const whole = first < last;
  return {
    path,
    side: 'RIGHT',
    ...(whole ? { start_line: first } : {}),
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
