import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import { findPlaces } from '../text/find-lines.ts';
import {
  type FileLines,
  fileLines,
  type LineStrategy,
  matchLines,
  type Span,
  wantedLines,
} from './match-lines.ts';
import { anchoredBlocks, blocksInContext } from './similar-blocks.ts';

/** Strategies of a search, in the order they are tried: from most to least literal. */
export type Strategy =
  | 'exact'
  | LineStrategy
  | 'escape-normalized'
  | 'trimmed-boundary'
  | 'line-number-stripped'
  | 'block-anchor'
  | 'context-aware';

/** Locations of a text. */
export interface FoundText {
  readonly strategy: Strategy;
  /** All locations, in order. Those of a similar block may overlap. */
  readonly spans: readonly Span[];
  /** The text searched for: without line numbers, for example. */
  readonly wanted: string;
  /** Applies to the replacement what was done to the old text. */
  readonly adapt: (replacement: string) => string;
  /** True if more than whitespace, punctuation and escapes may differ. */
  readonly similar: boolean;
}

/**
 * Finds `wanted` in `content` (both with `\n` endings). Tries a literal match, then lines with
 * growing tolerance for whitespace. Then it undoes a copying slip (escapes, surrounding blank
 * lines, line numbers), and last tries a similar block. Returns all locations of the first strategy
 * that succeeds, so that the caller sees ambiguity; null if none does. Blank text is matched
 * literally only.
 */
export function findText(content: string, wanted: string): FoundText | null {
  const exact = literally(content, wanted, 'exact');
  if (exact !== null) return exact;
  if (wanted.trim() === '') return null;
  const file = fileLines(content);
  return (
    byLines(file, wanted) ??
    typographically(content, wanted) ??
    firstOf(unescapings(wanted), ({ text, adapt }) => redone(file, text, 'escape-normalized', adapt)) ??
    withinBoundaries(file, wanted) ??
    unnumbered(file, wanted) ??
    alike(file, wanted)
  );
}

function literally(content: string, wanted: string, strategy: Strategy): FoundText | null {
  const spans = findPlaces(content, wanted).map((start): Span => ({ start, end: start + wanted.length }));
  return spans.length > 0 ? { strategy, spans, wanted, adapt: unchanged, similar: false } : null;
}

function byLines(file: FileLines, wanted: string): FoundText | null {
  const found = matchLines(file, wantedLines(wanted));
  return found === null ? null : { ...found, wanted, adapt: unchanged, similar: false };
}

/** Finds text with other kinds of quotes, dashes or spaces. */
function typographically(content: string, wanted: string): FoundText | null {
  const [folded, plain] = [asciiPunctuation(content), asciiPunctuation(wanted)];
  if (folded === content && plain === wanted) return null;
  const found = literally(folded, plain, 'typographic');
  return found === null ? null : { ...found, wanted };
}

/** Finds the old text without some slip, literally and then line by line. */
function redone(
  file: FileLines,
  text: string,
  strategy: Strategy,
  adapt: (replacement: string) => string,
): FoundText | null {
  if (text.trim() === '') return null;
  const found = literally(file.content, text, strategy) ?? byLines(file, text);
  return found === null ? null : { ...found, strategy, adapt };
}

/** Finds the old text without surrounding blank lines, then without surrounding whitespace. */
function withinBoundaries(file: FileLines, wanted: string): FoundText | null {
  const [blankBefore, blankAfter] = blankAround(wanted);
  if (blankBefore + blankAfter !== '') {
    const bounded = wanted.slice(blankBefore.length, wanted.length - blankAfter.length);
    const found = byLines(file, bounded);
    if (found !== null) {
      return { ...found, strategy: 'trimmed-boundary', adapt: cutter(blankBefore, blankAfter) };
    }
  }
  const bare = wanted.trim();
  if (bare === wanted) return null;
  const found = literally(file.content, bare, 'trimmed-boundary');
  const before = wanted.slice(0, wanted.length - wanted.trimStart().length);
  const after = wanted.slice(wanted.trimEnd().length);
  const spans = found?.spans.filter((span) => isBounded(file.content, span, before, after)) ?? [];
  return found === null || spans.length === 0 ? null : { ...found, spans, adapt: cutter(before, after) };
}

/** Removes the same surrounding whitespace from a text if present. */
function cutter(before: string, after: string): (replacement: string) => string {
  return (replacement) => {
    const cut = replacement.startsWith(before) ? replacement.slice(before.length) : replacement;
    return after !== '' && cut.endsWith(after) ? cut.slice(0, cut.length - after.length) : cut;
  };
}

/**
 * True if a piece begins and ends at the boundaries that the whitespace around the old text
 * implies. A line break implies a line, other whitespace a word.
 */
function isBounded(content: string, { start, end }: Span, before: string, after: string): boolean {
  const line = content.slice(content.lastIndexOf('\n', start - 1) + 1, start);
  const next = content.indexOf('\n', end);
  const rest = content.slice(end, next === -1 ? content.length : next);
  if (before.includes('\n') && line.trim() !== '') return false;
  if (after.includes('\n') && rest.trim() !== '') return false;
  const word = /[\p{L}\p{N}_]/u;
  const joins = (at: number) => word.test(content[at - 1] ?? '') && word.test(content[at] ?? '');
  return !(before !== '' && joins(start)) && !(after !== '' && joins(end));
}

function unnumbered(file: FileLines, wanted: string): FoundText | null {
  const bare = withoutLineNumbers(withOneNewline(wanted.replace(/^\n+/, '')));
  const adapt = (replacement: string) => withoutLineNumbers(replacement) ?? replacement;
  return bare === null ? null : redone(file, bare, 'line-number-stripped', adapt);
}

/** Finds a similar block, ignoring blank lines around the old text. */
function alike(file: FileLines, wanted: string): FoundText | null {
  const [before, after] = blankAround(wanted);
  const bounded = wanted.slice(before.length, wanted.length - after.length);
  const lines = wantedLines(bounded);
  const anchored = anchoredBlocks(file, lines);
  const spans = anchored.length > 0 ? anchored : blocksInContext(file, lines);
  if (spans.length === 0) return null;
  const strategy = anchored.length > 0 ? 'block-anchor' : 'context-aware';
  return { strategy, spans, wanted: bounded, adapt: cutter(before, after), similar: true };
}

/** Returns the blank lines before a text and after its last line, with adjacent newlines. */
function blankAround(text: string): [string, string] {
  const [before = ''] = /^(?:[ \t]*\n)+/.exec(text) ?? [];
  const newline = text.indexOf('\n', Math.max(before.length, endOf(text, ' \t\n')));
  return [before, newline === -1 ? '' : text.slice(newline)];
}

/** Reduces the newlines at the end of a text to one. */
function withOneNewline(text: string): string {
  const end = endOf(text, '\n');
  return end === text.length ? text : `${text.slice(0, end)}\n`;
}

/**
 * Returns the offset after the last character that is none of `some`. A regular expression would
 * restart at each character.
 */
function endOf(text: string, some: string): number {
  let end = text.length;
  while (end > 0 && some.includes(text[end - 1] ?? '')) end -= 1;
  return end;
}

function firstOf<Item, Result>(items: readonly Item[], look: (item: Item) => Result | null): Result | null {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}

function unchanged(replacement: string): string {
  return replacement;
}

/** Meaning of a character after a backslash in the strings of most languages and of JSON. */
const meanings: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '`': '`',
  $: '$',
  '\\': '\\',
  '\n': '\n',
};

/** Escapes for whitespace, which code is more likely to contain on purpose. */
const whitespace = new Set(['n', 'r', 't', '\n']);

/** A text with one level of escaping removed. */
interface Unescaped {
  readonly text: string;
  /** Removes the same escapes from the replacement text. */
  readonly adapt: (replacement: string) => string;
}

/**
 * Returns the texts without one level of escapes, the smallest change first: quotes and backslashes
 * only, then line breaks and tabs too. Empty if nothing is escaped.
 */
export function unescapings(text: string): Unescaped[] {
  const candidates = [(mark: string) => !whitespace.has(mark), () => true].map((undone) => {
    const marks = new Set<string>();
    const bare = unescaped(text, (mark) => {
      if (!undone(mark)) return false;
      marks.add(mark);
      return true;
    });
    return { text: bare.replaceAll('\r\n', '\n'), adapt: adaptTo(marks) };
  });
  const [quotes, all] = candidates;
  return candidates.filter(
    (candidate) => candidate.text !== text && (candidate !== all || candidate.text !== quotes?.text),
  );
}

/**
 * Removes from new text the surplus escapes of the old text. Text that contains one of those
 * characters unescaped is returned unchanged: it was not escaped too often.
 */
function adaptTo(marks: ReadonlySet<string>): (replacement: string) => string {
  return (replacement) => {
    const bare = replacement.replaceAll(/\\[\s\S]/g, '');
    const raw = [...marks].some((mark) => mark !== '\\' && bare.includes(meanings[mark] ?? mark));
    if (raw) return replacement;
    return unescaped(replacement, (mark) => mark === '\\' || marks.has(mark)).replaceAll('\r\n', '\n');
  };
}

function unescaped(text: string, undone: (mark: string) => boolean): string {
  return text.replaceAll(/\\([nrt"'`$\\\n])/g, (escaped, mark: string) =>
    undone(mark) ? (meanings[mark] ?? mark) : escaped,
  );
}

/** A line number as `read` and other agents' tools prefix it to a line. */
const numbered = /^\s*L?(\d+)(?:\t|: ?|\| ?|→)/;

/**
 * Removes the line number of each line. Null if a line has none or they do not rise, so that text
 * with numbers of its own stays intact.
 */
export function withoutLineNumbers(text: string): string | null {
  const lines = text.split('\n');
  const bare: string[] = [];
  let last = -1;
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) {
      bare.push(line);
      continue;
    }
    const number = Number(numbered.exec(line)?.[1] ?? -1);
    if (number <= last) return null;
    last = number;
    bare.push(line.replace(numbered, ''));
  }
  return last === -1 ? null : bare.join('\n');
}
