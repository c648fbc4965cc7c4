import { ToolError } from '../../contract/errors.ts';
import { nearestLines } from '../edit/nearest-lines.ts';
import type { Hunk } from './file-patch.ts';

/** Ways to compare a line of a patch with one of the file, the strictest first. */
const foldings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => asciiPunctuation(line.trim()).normalize('NFC'),
];

/** Where the search for a hunk begins, and by how much the hunks before it have moved its stated line. */
export interface HunkPosition {
  readonly from: number;
  readonly shift: number;
}

/**
 * The index of the file's line where a hunk belongs. A stated line number or a locator decides between
 * equal places; without one a hunk that fits in two places is refused, never guessed. Throws `ToolError`:
 * `not_found` with the nearest lines, or `ambiguous` with the candidates.
 */
export function locateHunk(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition): number {
  const old = hunk.lines.filter((line) => line.mark !== '+').map((line) => line.text.replace(/\r$/, ''));
  if (old.length === 0) return placeOfInsertion(path, lines, hunk, at);
  const stated = hunk.line === null ? null : hunk.line - 1 + at.shift;
  for (const fold of foldings) {
    const wanted = old.map(fold);
    const folded = lines.map(fold);
    const fits = (index: number): boolean => wanted.every((text, offset) => folded[index + offset] === text);
    if (hunk.atEnd) {
      const last = lines.length - old.length;
      if (last >= at.from && fits(last)) return last;
      continue;
    }
    if (stated !== null && stated >= at.from && fits(stated)) return stated;
    const places = placesAfterLocators(folded, hunk, at.from, fits, fold);
    const [only] = places;
    if (only !== undefined && places.length === 1) return only;
    if (places.length > 1) throw ambiguous(path, hunk, places);
  }
  throw notFound(path, lines, hunk, old);
}

/** Added lines without any context: after the locator, at the stated line, or at the end of the file. */
function placeOfInsertion(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition): number {
  if (hunk.locators.length > 0 && !hunk.atEnd) {
    for (const fold of foldings) {
      const places = locatorPlaces(lines.map(fold), hunk, at.from, fold);
      const [only] = places;
      if (only !== undefined && places.length === 1) return only + 1;
      if (places.length > 1) throw ambiguous(path, hunk, places);
    }
    throw locatorMissing(path, lines, hunk);
  }
  const stated = hunk.line === null || hunk.atEnd ? lines.length : hunk.line + at.shift;
  if (stated >= at.from && stated <= lines.length) return stated;
  throw new ToolError(
    'not_found',
    `The hunk "${hunk.label}" adds lines after line ${hunk.line}, but ${path} has ${lines.length} lines. Give it lines of context.`,
  );
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

function ambiguous(path: string, hunk: Hunk, places: readonly number[]): ToolError {
  const lines = places.slice(0, 10).map((place) => place + 1);
  return new ToolError(
    'ambiguous',
    `The hunk "${hunk.label}" fits ${places.length} places in ${path}, at lines ${lines.join(', ')}. Nothing was changed. Add lines of context until it fits one.`,
  );
}

function locatorMissing(path: string, lines: readonly string[], hunk: Hunk): ToolError {
  const wanted = hunk.locators.join('\n');
  return notFound(path, lines, hunk, wanted.split('\n'));
}

function notFound(path: string, lines: readonly string[], hunk: Hunk, old: readonly string[]): ToolError {
  const nearest = nearestLines(lines.join('\n'), old.join('\n'));
  const hint = nearest === null ? 'Nothing there is like it.' : `The nearest lines are:\n${nearest}`;
  return new ToolError(
    'not_found',
    `The lines of the hunk "${hunk.label}" are not in ${path}${hunk.atEnd ? ' at its end' : ''}. ${hint}\nNothing was changed. Read the file and make the patch from its lines as they are.`,
  );
}

/** Dashes, quotes and spaces as a keyboard writes them: what models put in place of typographic ones. */
function asciiPunctuation(line: string): string {
  return line
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
