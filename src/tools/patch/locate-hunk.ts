import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import type { Hunk, HunkPlace, HunkPosition } from './file-patch.ts';
import { hunkErrors } from './hunk-errors.ts';

const asItIs = (line: string): string => line;
/** Ways to compare a line of a patch with one of the file, the strictest first. */
const foldings: readonly ((line: string) => string)[] = [
  asItIs,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => asciiPunctuation(line.trim()).normalize('NFC'),
];

/**
 * The place where a hunk belongs. A stated line number or a locator decides between equal places; without one
 * a hunk that fits in two places is refused, never guessed. Throws `ToolError`: `not_found` with the nearest
 * lines, or `ambiguous` with the candidates.
 */
export function locateHunk(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition): HunkPlace {
  const old = hunk.lines.filter((line) => line.mark !== '+').map((line) => line.text.replace(/\r$/, ''));
  const place =
    old.length === 0 ? placeOfInsertion(path, lines, hunk, at) : placeOf(path, lines, old, hunk, at);
  const stated = old.length === 0 ? hunk.line : statedIndex(hunk);
  return { place, lines: hunk.lines, shift: stated === null ? at.shift : place - stated };
}

function statedIndex(hunk: Hunk): number | null {
  return hunk.line === null ? null : hunk.line - 1;
}

function placeOf(
  path: string,
  lines: readonly string[],
  old: readonly string[],
  hunk: Hunk,
  at: HunkPosition,
): number {
  const errors = hunkErrors(path, lines, hunk, at);
  const stated = statedIndex(hunk);
  const expected = hunk.atEnd ? lines.length - old.length : stated === null ? null : stated + at.shift;
  for (const fold of foldings) {
    const wanted = old.map(fold);
    if (expected !== null && expected >= at.from) {
      if (wanted.every((text, offset) => folded(lines[expected + offset], fold) === text)) return expected;
    }
    if (hunk.atEnd) continue;
    const all = fold === asItIs ? lines : lines.map(fold);
    const fits = (index: number): boolean => wanted.every((text, offset) => all[index + offset] === text);
    const places = placesAfterLocators(all, hunk, at.from, fits, fold);
    const [only] = places;
    if (only !== undefined && places.length === 1) return only;
    if (places.length > 1) throw errors.ambiguous(places);
  }
  const located =
    hunk.locators.length === 0 || foldings.some((fold) => hasLocators(lines, hunk, at.from, fold));
  throw located ? errors.notFound(old) : errors.locatorMissing();
}

function folded(line: string | undefined, fold: (line: string) => string): string | undefined {
  return line === undefined ? undefined : fold(line);
}

/**
 * The place of added lines without any context: after the locator, at the stated line, or at the end of the
 * file. Throws as `locateHunk`.
 */
export function placeOfInsertion(
  path: string,
  lines: readonly string[],
  hunk: Hunk,
  at: HunkPosition,
): number {
  const errors = hunkErrors(path, lines, hunk, at);
  if (hunk.locators.length > 0 && !hunk.atEnd) {
    for (const fold of foldings) {
      const places = locatorPlaces(lines.map(fold), hunk, at.from, fold);
      const [only] = places;
      if (only !== undefined && places.length === 1) return only + 1;
      if (places.length > 1) throw errors.ambiguous(places);
    }
    throw errors.locatorMissing();
  }
  const stated = hunk.line === null || hunk.atEnd ? lines.length : hunk.line + at.shift;
  if (stated >= at.from && stated <= lines.length) return stated;
  throw errors.outsideFile();
}

function placesAfterLocators(
  folded: readonly string[],
  hunk: Hunk,
  from: number,
  fits: (index: number) => boolean,
  fold: (line: string) => string,
): number[] {
  if (hunk.locators.length === 0) return indexes(folded.length, from, fits);
  const next = (start: number): number => {
    for (let index = start; index < folded.length; index += 1) if (fits(index)) return index;
    return -1;
  };
  const places = new Set<number>();
  for (const locator of locatorPlaces(folded, hunk, from, fold)) {
    const below = next(locator + 1);
    // Some repeat the locator's line as the first line of context.
    const place = below === -1 ? next(locator) : below;
    if (place !== -1) places.add(place);
  }
  return [...places];
}

/** Lines where the last locator stands: each place of the first one, then the next of every further one. */
function locatorPlaces(
  folded: readonly string[],
  hunk: Hunk,
  from: number,
  fold: (line: string) => string,
): number[] {
  const [first = '', ...further] = hunk.locators;
  const starts = indexes(folded.length, from, (index) => folded[index] === fold(first));
  const ends = starts.flatMap((start) => {
    let place = start;
    for (const locator of further) {
      place = folded.indexOf(fold(locator), place + 1);
      if (place === -1) return [];
    }
    return [place];
  });
  return [...new Set(ends)];
}

function indexes(length: number, from: number, fits: (index: number) => boolean): number[] {
  const found: number[] = [];
  for (let index = from; index < length; index += 1) if (fits(index)) found.push(index);
  return found;
}

function hasLocators(
  lines: readonly string[],
  hunk: Hunk,
  from: number,
  fold: (line: string) => string,
): boolean {
  return locatorPlaces(lines.map(fold), hunk, from, fold).length > 0;
}
