import type { Hunk, HunkLine, HunkPlace, HunkPosition, LocateHunk } from './file-patch.ts';
import { hunkErrors } from './hunk-errors.ts';
import { asItIs, placeOfInsertion } from './locate-hunk.ts';
import type { SearchedLines } from './searched-lines.ts';

/** The match of a hunk. */
export interface FuzzyPlace {
  readonly path: string;
  /** Number of the hunk within its file, from 1. */
  readonly number: number;
  /** Context lines ignored at each end. */
  readonly fuzz: number;
  /** Lines below the stated line; negative above it. */
  readonly offset: number;
}

/**
 * Finds hunks as patch(1) does: at the stated line, then at growing distance. First all lines of
 * context must match, then up to `most` are ignored at each end (of the longer context first). A
 * hunk with less context after its change than before belongs to the end of the file. The reverse
 * belongs to its start, unless the fuzz evens that out. Unlike patch(1), it refuses two equally
 * distant matches, and a hunk without any old line left. Calls `found` for every match.
 */
export function locateWithFuzz(most: number, found: (place: FuzzyPlace) => void): LocateHunk {
  return (path, file, hunk, at) => {
    const { lines } = file;
    const before = leading(hunk.lines);
    const after = leading(hunk.lines.toReversed());
    const context = Math.max(before, after);
    if (hunk.lines.every((line) => line.mark === '+')) {
      const place = placeOfInsertion(path, file, hunk, at);
      found({ path, number: at.number, fuzz: 0, offset: hunk.line === null ? 0 : place - hunk.line });
      return { place, lines: hunk.lines, shift: hunk.line === null ? at.shift : place - hunk.line };
    }
    for (let fuzz = 0; fuzz <= Math.min(most, context); fuzz += 1) {
      const head = Math.max(0, fuzz + before - context);
      const tail = Math.max(0, fuzz + after - context);
      const kept = hunk.lines.slice(head, hunk.lines.length - tail);
      const wanted = oldLines(kept);
      if (wanted.length === 0) break;
      const anchor = {
        start: hunk.line !== null && hunk.line <= 1 && fuzz + before < context,
        end: hunk.atEnd || (hunk.line !== null && fuzz + after < context),
      };
      const expected = hunk.line === null ? null : hunk.line - 1 + at.shift + head;
      const places = nearestPlaces(file, wanted, expected, at.from, anchor);
      if (places.length > 1) throw hunkErrors(path, lines, hunk, at).ambiguous(places);
      const [place] = places;
      if (place === undefined) continue;
      const shift = hunk.line === null ? at.shift : place - head - (hunk.line - 1);
      found({ path, number: at.number, fuzz, offset: hunk.line === null ? 0 : shift });
      return { place, lines: kept, shift } satisfies HunkPlace;
    }
    throw notFound(path, lines, hunk, at, before - after);
  };
}

/** Returns the matches nearest to the expected location, or all without one. */
function nearestPlaces(
  file: SearchedLines,
  wanted: readonly string[],
  expected: number | null,
  from: number,
  anchor: { readonly start: boolean; readonly end: boolean },
): number[] {
  const { lines } = file;
  const last = lines.length - wanted.length;
  const allowed = (index: number): boolean =>
    index >= from && index <= last && (!anchor.start || index === 0) && (!anchor.end || index === last);
  const fits = (index: number): boolean =>
    allowed(index) && wanted.every((text, offset) => lines[index + offset] === text);
  if (expected !== null && fits(expected)) return [expected];
  const places = file.find(asItIs, wanted, from).filter(allowed);
  if (expected === null) return places;
  const distance = (place: number) => Math.abs(place - expected);
  const nearest = places.reduce((least, place) => Math.min(least, distance(place)), Number.POSITIVE_INFINITY);
  return places.filter((place) => distance(place) === nearest);
}

function notFound(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition, uneven: number) {
  return hunkErrors(path, lines, hunk, at).notFound(
    oldLines(hunk.lines),
    uneven > 0 && hunk.line !== null
      ? 'With fewer lines after its change than before, a hunk belongs to the end of the file.'
      : '',
  );
}

function leading(lines: readonly HunkLine[]): number {
  const changed = lines.findIndex((line) => line.mark !== ' ');
  return changed === -1 ? lines.length : changed;
}

function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter((line) => line.mark !== '+').map((line) => line.text.replace(/\r$/, ''));
}
