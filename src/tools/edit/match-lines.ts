import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import { findLines } from '../text/find-lines.ts';
import type { FileLines, Span } from './file-lines.ts';

/** Lines whose indentation is compared with that of the old text, at most. */
const mostCompared = 1_000_000;

/** How whole lines were found to be the same, the strictest first. */
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
/** Spaces next to punctuation mean nothing to most languages; between words they stay. */
const unspaced = (line: string): string => collapsed(line).replaceAll(/ ?([^\p{L}\p{N}_\s]) ?/gu, '$1');

const folds: readonly (readonly [LineStrategy, (line: string) => string])[] = [
  ['line-trimmed', trimmed],
  ['typographic', typographic],
  ['whitespace-normalized', collapsed],
  ['whitespace-normalized', unspaced],
];

/** A text as the lines to look for. */
export function wantedLines(text: string): WantedLines {
  const lines = text.split('\n');
  const withNewline = text.endsWith('\n');
  if (withNewline) lines.pop();
  return { lines, withNewline };
}

/** Every place where the first successful way finds all lines in their order; null when none does. */
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
    // Of lines that are equal but for whitespace around them, those indented alike are nearest to what was meant.
    const dedented = dedent(wanted.lines);
    // Each is a look at all of its lines: of many places, those are compared that do not lie within each other.
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

/** Places of `count` lines that do not lie within each other. */
function apart(places: readonly number[], count: number): number[] {
  let free = 0;
  return places.filter((place) => {
    if (place < free) return false;
    free = place + count;
    return true;
  });
}

/** Lines without the indentation all of them share, and without whitespace at their ends. */
function dedent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared).trimEnd());
}
