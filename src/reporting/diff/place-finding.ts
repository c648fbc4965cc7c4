import type { Finding } from '../../contract/findings.ts';
import type { HunkMap, Side } from './hunk-map.ts';

/** A line farther away is unrelated to the finding. */
const nearEnough = 10;

/**
 * The place of a finding in a review. `line`: a line or range of the diff. `file`: under its file
 * in the text, since no line is near. `summary`: at the end, since the diff lacks the file.
 */
export type Placement =
  | {
      readonly kind: 'line';
      readonly path: string;
      readonly side: Side;
      readonly line: number;
      /** Only for a range: smaller than `line`, same side, same hunk. */
      readonly startLine?: number;
      /** The line the finding named, where the comment had to go to another one. */
      readonly statedLine: number | null;
      /** True if the comment is on exactly the lines that the finding named. */
      readonly exact: boolean;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'summary' };

/**
 * Places a finding where GitHub accepts it. Tries its own lines, then the displayed part of its
 * range, then the nearest line within ten. Falls back to the file, then to the summary.
 */
export function placeFinding(finding: Finding, map: HunkMap): Placement {
  const path = map.resolve(finding.path);
  if (path === null) return { kind: 'summary' };
  const { side, first, last } = onCommentableSide(finding, path, map);
  if (map.sameHunk(path, side, first, last)) {
    return { kind: 'line', path, side, line: last, ...range(first, last), statedLine: null, exact: true };
  }
  const visible = [last, first].find((line) => map.isLegal(path, side, line));
  if (visible !== undefined) {
    const lines = map.hunkOf(path, side, visible).filter((line) => line >= first && line <= last);
    const [from = visible, to = visible] = [lines[0], lines.at(-1)];
    return { kind: 'line', path, side, line: to, ...range(from, to), statedLine: null, exact: false };
  }
  const nearest = map.nearest(path, side, last);
  if (nearest === null || Math.abs(nearest - last) > nearEnough) return { kind: 'file', path };
  return { kind: 'line', path, side, line: nearest, statedLine: finding.line, exact: false };
}

function range(first: number, last: number): { startLine?: number } {
  return first < last ? { startLine: first } : {};
}

/** Unchanged lines are commented on the right side, which is where GitHub shows them. */
export function onCommentableSide(
  finding: Finding,
  path: string,
  map: HunkMap,
): { side: Side; first: number; last: number } {
  const first = Math.min(finding.start_line ?? finding.line, finding.line);
  const last = Math.max(finding.start_line ?? finding.line, finding.line);
  if (finding.side === 'RIGHT') return { side: 'RIGHT', first, last };
  const right = { first: map.rightOf(path, first), last: map.rightOf(path, last) };
  return right.first === null || right.last === null
    ? { side: 'LEFT', first, last }
    : { side: 'RIGHT', first: right.first, last: right.last };
}
