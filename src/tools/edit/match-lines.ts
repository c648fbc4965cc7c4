import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import { findLines } from '../text/find-lines.ts';

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
    // Among lines equal except for surrounding whitespace, those with the same indentation fit
    // best.
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

/** A piece of a text by offsets, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text by its lines (`\n` endings), with folded forms made on demand. */
export interface FileLines {
  readonly content: string;
  readonly lines: readonly string[];
  /** The lines in a folded form, made once per fold. */
  folded(fold: (line: string) => string): readonly string[];
  /**
   * Returns the offsets of `count` whole lines from index `first`. Includes the last newline if
   * requested and present.
   */
  span(first: number, count: number, withNewline: boolean): Span;
}

/** Splits a text into lines. */
export function fileLines(content: string): FileLines {
  const lines = content.split('\n');
  const forms = new Map<(line: string) => string, readonly string[]>();
  let starts: Uint32Array | null = null;
  const startOf = (line: number): number => {
    starts ??= startsOf(lines);
    return starts[line] ?? content.length + 1;
  };
  return {
    content,
    lines,
    folded(fold) {
      const form = forms.get(fold) ?? lines.map(fold);
      forms.set(fold, form);
      return form;
    },
    span(first, count, withNewline) {
      const next = startOf(first + count);
      return { start: startOf(first), end: withNewline && next <= content.length ? next : next - 1 };
    },
  };
}

function startsOf(lines: readonly string[]): Uint32Array {
  const starts = new Uint32Array(lines.length);
  let start = 0;
  for (const [index, line] of lines.entries()) {
    starts[index] = start;
    start += line.length + 1;
  }
  return starts;
}
