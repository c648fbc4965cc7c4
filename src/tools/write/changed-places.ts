import { differingPart } from '../../workspace/changes/differing-part.ts';
import { lineChanges } from '../../workspace/changes/line-changes.ts';
import { numberLines } from '../text/number-lines.ts';
import { splitLines } from '../text/text-file.ts';

const contextLines = 2;
/** Maximum lines of one location, and of all together. */
const linesOfPlace = 24;
const linesInAll = 80;
const bytesOfPlace = 4000;
const mostMs = 500;

/**
 * Renders the locations where `after` differs from `before`, as numbered lines of `after` with two
 * lines of context and `…` between locations. If comparing takes longer than half a second, or
 * `timeoutMs`, everything counts as one location.
 */
export function changedPlaces(before: string, after: string, timeoutMs = mostMs): string {
  const part = differingPart(Buffer.from(before), Buffer.from(after));
  const now = splitLines(part.after.toString('utf8'));
  const old = splitLines(part.before.toString('utf8'));
  const places = joined(changedRanges(old, now, Math.min(timeoutMs, mostMs)), now.length);
  const shown: string[] = [];
  let left = linesInAll;
  for (const [index, { from, to }] of places.entries()) {
    if (left <= 0) {
      shown.push(`[${places.length - index} more places]`);
      break;
    }
    const some = now.slice(from, Math.min(to, from + linesOfPlace));
    const rest = to - from > some.length ? `\n[${to - from - some.length} more lines]` : '';
    shown.push(numberLines(some, part.linesBefore + from + 1, bytesOfPlace).text + rest);
    left -= some.length;
  }
  return shown.join('\n…\n');
}

/** Lines by index, the end excluded; empty for pure removals. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the lines of `now` that are not in `old`; all lines if the comparison times out. */
function changedRanges(old: readonly string[], now: readonly string[], timeoutMs: number): Range[] {
  const changes = lineChanges(old, now, timeoutMs);
  if (changes === null) return [{ from: 0, to: now.length }];
  return changes.map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo }));
}

/** Adds context to ranges, joins those that touch, and drops empty ones. */
function joined(ranges: readonly Range[], lines: number): Range[] {
  const places: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const from = Math.max(0, range.from - contextLines);
    const to = Math.min(lines, range.to + contextLines);
    const last = places.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) places.push({ from, to });
  }
  return places;
}
