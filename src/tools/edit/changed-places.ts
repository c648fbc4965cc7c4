import { diffArrays } from 'diff';
import { numberLines } from '../text/number-lines.ts';
import { splitLines } from '../text/text-file.ts';

const contextLines = 2;
/** Lines of one place, and of all together. */
const linesOfPlace = 24;
const linesInAll = 80;
const bytesOfPlace = 4000;
/** With more lines changed than this, finding out which costs more than it tells. */
const mostChanges = 500;

/**
 * The places where `after` differs from `before`, as numbered lines of `after` with two lines around them,
 * in order, `…` between them. Where the two differ in too much to tell which line became which, all between
 * the first and the last line that differ is one place.
 */
export function changedPlaces(before: string, after: string): string {
  const now = splitLines(after);
  const places = joined(changedRanges(splitLines(before), now), now.length);
  const shown: string[] = [];
  let left = linesInAll;
  for (const [index, { from, to }] of places.entries()) {
    if (left <= 0) {
      shown.push(`[${places.length - index} more places]`);
      break;
    }
    const some = now.slice(from, Math.min(to, from + linesOfPlace));
    const rest = to - from > some.length ? `\n[${to - from - some.length} more lines]` : '';
    shown.push(numberLines(some, from + 1, bytesOfPlace).text + rest);
    left -= some.length;
  }
  return shown.join('\n…\n');
}

/** Lines by index, the end excluded; empty where lines only went away. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which lines of `now` are not those of `old`. */
function changedRanges(old: readonly string[], now: readonly string[]): Range[] {
  const shorter = Math.min(old.length, now.length);
  let [before, after] = [0, 0];
  while (before < shorter && old[before] === now[before]) before += 1;
  while (after < shorter - before && old[old.length - 1 - after] === now[now.length - 1 - after]) after += 1;
  const [was, is] = [old.slice(before, old.length - after), now.slice(before, now.length - after)];
  if (was.length === 0 && is.length === 0) return [];
  const parts = diffArrays(was, is, { maxEditLength: mostChanges });
  if (parts !== undefined) {
    let at = before;
    return parts.flatMap((part) => {
      const from = at;
      if (!part.removed) at += part.value.length;
      return part.added || part.removed ? [{ from, to: at }] : [];
    });
  }
  if (was.length !== is.length) return [{ from: before, to: before + is.length }];
  return is.flatMap((line, index) =>
    line === was[index] ? [] : [{ from: before + index, to: before + index + 1 }],
  );
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
