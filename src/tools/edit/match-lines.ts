import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import { findLines } from '../text/find-lines.ts';
import type { FileLines, Span } from './file-lines.ts';

/** Maximum lines whose indentation is compared with the old text. */
const mostCompared = 1_000_000;

/** Ways to compare whole lines, the strictest first. */
export type LineStrategy = 'indentation-flexible' | 'line-trimmed' | 'typographic' | 'whitespace-normalized';

/** The old text as lines, and whether the last one's newline belongs to it. */
export interface WantedLines {
  readonly lines: readonly string[];
  readonly withNewline: boolean;
}

export const trimmed = (line: string): string => line.trim();
const typographic = (line: string): string => asciiPunctuation(line).trim().normalize('NFC');
const collapsed = (line: string): string => {
  const plain = asciiPunctuation(line).trim();
  return /[^\S ]| {2}/.test(plain) ? plain.replaceAll(/\s+/g, ' ') : plain;
};
/** Removes spaces next to punctuation, which most languages ignore; those between words stay. */
const unspaced = (line: string): string => collapsed(line).replaceAll(/ ?([^\p{L}\p{N}_\s]) ?/gu, '$1');

const folds: readonly (readonly [LineStrategy, (line: string) => string])[] = [
  ['line-trimmed', trimmed],
  ['typographic', typographic],
  ['whitespace-normalized', collapsed],
  ['whitespace-normalized', unspaced],
];

/** Splits a text into the lines to find. */
export function wantedLines(text: string): WantedLines {
  const lines = text.split('\n');
  const withNewline = text.endsWith('\n');
  if (withNewline) lines.pop();
  return { lines, withNewline };
}

/** Returns all locations of the first way that finds all lines in order. Null if none does. */
export function matchLines(
  file: FileLines,
  wanted: WantedLines,
): { readonly strategy: LineStrategy; readonly spans: readonly Span[] } | null {
  for (const [strategy, fold] of folds) {
    const places = findLines(file.folded(fold), wanted.lines.map(fold));
    if (places.length === 0) continue;
    const count = wanted.lines.length;
    const spans = (some: readonly number[]) =>
      apart(some, count).map((place) => file.span(place, count, wanted.withNewline));
    if (strategy !== 'line-trimmed') return { strategy, spans: spans(places) };
    // Among lines equal but for surrounding whitespace, those with the same indentation fit best.
    const dedented = dedent(wanted.lines);
    // Each comparison reads all lines, so with many locations only separate ones are compared.
    const compared = places.length * count > mostCompared ? apart(places, count) : places;
    const flexible = compared.filter((place) => {
      const window = dedent(file.lines.slice(place, place + count));
      return window.every((line, index) => line === dedented[index]);
    });
    return flexible.length > 0
      ? { strategy: 'indentation-flexible', spans: spans(flexible) }
      : { strategy, spans: spans(places) };
  }
  return null;
}

/** Keeps locations of `count` lines that do not overlap. */
function apart(places: readonly number[], count: number): number[] {
  let free = 0;
  return places.filter((place) => {
    if (place < free) return false;
    free = place + count;
    return true;
  });
}

/** Removes the common indentation and trailing whitespace. */
function dedent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared).trimEnd());
}
