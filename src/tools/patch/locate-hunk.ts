import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import type { Hunk, HunkLine, HunkLocation, HunkPosition } from './file-patch.ts';
import { hunkErrors } from './hunk-errors.ts';
import type { SearchedLines } from './searched-lines.ts';

/** Compares a line as it is. */
export const asItIs = (line: string): string => line;
/** Ways to compare lines of patch and file, the strictest first. */
const foldings: readonly ((line: string) => string)[] = [
  asItIs,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => asciiPunctuation(line.trim()).normalize('NFC'),
];

/**
 * Finds the location of a hunk. A stated line number or a locator decides between equal matches.
 * Without one, a hunk with two matches is refused. Throws `ToolError`: `not_found` with the nearest
 * lines, or `ambiguous` with the candidates.
 */
export function locateHunk(path: string, file: SearchedLines, hunk: Hunk, at: HunkPosition): HunkLocation {
  const old = oldLines(hunk.lines);
  const place = old.length === 0 ? placeOfInsertion(path, file, hunk, at) : placeOf(path, file, hunk, at);
  const stated = old.length === 0 ? hunk.line : statedIndex(hunk);
  return { place, lines: hunk.lines, shift: stated === null ? at.shift : place - stated };
}

/** Returns the unchanged and removed lines, without carriage returns. */
export function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter((line) => line.mark !== '+').map((line) => line.text.replace(/\r$/, ''));
}

function statedIndex(hunk: Hunk): number | null {
  return hunk.line === null ? null : hunk.line - 1;
}

function placeOf(path: string, file: SearchedLines, hunk: Hunk, at: HunkPosition): number {
  const { lines } = file;
  const old = oldLines(hunk.lines);
  const errors = hunkErrors(path, lines, hunk, at);
  const expected = expectedIndex(hunk, at, lines.length - old.length);
  for (const fold of foldings) {
    const wanted = old.map(fold);
    const standsThere = (first: number) =>
      wanted.every((text, offset) => folded(lines[first + offset], fold) === text);
    if (expected !== null && expected >= at.from && standsThere(expected)) return expected;
    if (hunk.atEnd) continue;
    const all = file.find(fold, wanted, at.from);
    const found =
      hunk.locators.length === 0 ? all : placesBelow(locatorPlaces(file, hunk, at.from, fold), all);
    const place = onlyPlace(found, errors);
    if (place !== null) return place;
  }
  throw isLocated(file, hunk, at) ? errors.notFound(old) : errors.locatorMissing();
}

/** Returns the index at which a hunk is expected; null if it states none. */
function expectedIndex(hunk: Hunk, at: HunkPosition, atEnd: number): number | null {
  if (hunk.atEnd) return atEnd;
  const stated = statedIndex(hunk);
  return stated === null ? null : stated + at.shift;
}

/** Returns the only location; null for none. Throws for several. */
function onlyPlace(places: readonly number[], errors: ReturnType<typeof hunkErrors>): number | null {
  if (places.length > 1) throw errors.ambiguous(places);
  return places[0] ?? null;
}

/** True if the hunk's locators are found in the file, or it has none. */
function isLocated(file: SearchedLines, hunk: Hunk, at: HunkPosition): boolean {
  return (
    hunk.locators.length === 0 || foldings.some((fold) => locatorPlaces(file, hunk, at.from, fold).length > 0)
  );
}

function folded(line: string | undefined, fold: (line: string) => string): string | undefined {
  return line === undefined ? undefined : fold(line);
}

/**
 * Returns the location for added lines without context: after the locator, at the stated line, or
 * at the end of the file. Throws as `locateHunk`.
 */
export function placeOfInsertion(path: string, file: SearchedLines, hunk: Hunk, at: HunkPosition): number {
  const { lines } = file;
  const errors = hunkErrors(path, lines, hunk, at);
  if (hunk.locators.length > 0 && !hunk.atEnd) {
    for (const fold of foldings) {
      const place = onlyPlace(locatorPlaces(file, hunk, at.from, fold), errors);
      if (place !== null) return place + 1;
    }
    throw errors.locatorMissing();
  }
  const stated = hunk.line === null || hunk.atEnd ? lines.length : hunk.line + at.shift;
  if (stated >= at.from && stated <= lines.length) return stated;
  throw errors.outsideFile();
}

/**
 * Returns for each locator the next match below it; else its own line, which some repeat as
 * context.
 */
function placesBelow(locators: readonly number[], places: readonly number[]): number[] {
  const found = new Set<number>();
  let next = 0;
  for (const locator of locators) {
    while (next < places.length && (places[next] ?? 0) < locator) next += 1;
    const own = places[next] === locator;
    const place = places[own ? next + 1 : next] ?? (own ? locator : null);
    if (place !== null) found.add(place);
  }
  return [...found];
}

/**
 * Returns the lines of the last locator: for each match of the first, the next match of each
 * further one. Each once, in order.
 */
function locatorPlaces(
  file: SearchedLines,
  hunk: Hunk,
  from: number,
  fold: (line: string) => string,
): number[] {
  const [first = '', ...further] = hunk.locators;
  let ends = file.find(fold, [fold(first)], from);
  for (const locator of further) {
    const places = file.find(fold, [fold(locator)], from);
    let next = 0;
    const nexts = ends.map((end) => {
      while (next < places.length && (places[next] ?? 0) <= end) next += 1;
      return places[next];
    });
    ends = [...new Set(nexts.filter((place) => place !== undefined))];
  }
  return ends;
}
