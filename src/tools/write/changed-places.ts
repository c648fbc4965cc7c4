import { differingPart } from '../../workspace/changes/differing-part.ts';
import { lineChanges } from '../../workspace/changes/line-changes.ts';
import { numberLines } from '../text/number-lines.ts';
import { splitLines } from '../text/text-file.ts';

const contextLines = 2;
/** Lines of one place, and of all together. */
const linesOfPlace = 24;
const linesInAll = 80;
const bytesOfPlace = 4000;
const mostMs = 500;

/**
 * The places where `after` differs from `before`, as numbered lines of `after` with two lines around them,
 * in order, `…` between them. Where the two differ in so much that it takes half a second, or `timeoutMs`, to tell
 * which line became which, all is one place.
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

/** Lines by index, the end excluded; empty where lines only went away. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which lines of `now` are not those of `old`; all of them where that is not found out. */
function changedRanges(old: readonly string[], now: readonly string[], timeoutMs: number): Range[] {
  const changes = lineChanges(old, now, timeoutMs);
  if (changes === null) return [{ from: 0, to: now.length }];
  return changes.map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo }));
}

/** Ranges with the lines around them, those that then touch as one, and none where there is no line to show. */
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
