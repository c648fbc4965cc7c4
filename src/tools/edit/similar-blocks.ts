import { distance } from 'fastest-levenshtein';
import { type FileLines, type Span, trimmed, type WantedLines } from './match-lines.ts';

/** Minimum lines. With fewer, nothing lies between the first and the last to compare. */
const leastLines = 3;
const leastMiddle = 0.65;
const leastWhole = 0.9;
/** Minimum lead of one of two overlapping blocks; otherwise the choice is unclear. */
const clearlyMore = 0.05;
/** Bonus to the likelihood for the same number of lines, or the same indentation step. */
const agreement = 0.1;
/** Maximum cost of one search, in characters squared and lines: some tens of milliseconds. */
const budget = 100_000_000;
/** Maximum number of similar blocks. Above it none is returned. */
const mostBlocks = 1_000;
/** Maximum repetitions of a line in the old text that still indicate a location. */
const mostVotes = 20;

/** Returns the maximum lines of a found piece, so that a mistake never replaces a whole file. */
function mostLines(wanted: number): number {
  return Math.max(wanted + 3, 2 * wanted);
}

/** Lines of a file, by the index of the first and their number. */
interface Range {
  readonly first: number;
  readonly count: number;
}

interface Block extends Range {
  readonly likelihood: number;
}

/**
 * Finds blocks that begin and end with the wanted lines, ignoring whitespace around them, and whose
 * middle is similar: Levenshtein similarity of at least 0.65. Several if the choice is unclear.
 */
export function anchoredBlocks(file: FileLines, wanted: WantedLines): Span[] {
  const lines = wanted.lines.map(trimmed);
  const [first, last] = [lines[0] ?? '', lines.at(-1) ?? ''];
  if (lines.length < leastLines || first === '' || last === '') return [];
  const all = file.folded(trimmed);
  const most = mostLines(lines.length);
  const scanned = all.reduce(
    (sum, line, at) => sum + (line === first ? Math.min(all.length - at, most) : 0),
    0,
  );
  if (scanned > budget) return [];
  const ranges = rangesBetween(all, first, last, most);
  const similar = similarBlocks(all, ranges, lines.slice(1, -1), { least: leastMiddle, margin: 1 });
  const step = indentStep(wanted.lines, 0, lines.length - 1);
  const blocks = similar.map(({ first: at, count, likelihood }) => {
    const sameStep = indentStep(file.lines, at, at + count - 1) === step;
    const more = (count === lines.length ? agreement : 0) + (sameStep ? agreement : 0);
    return { first: at, count, likelihood: likelihood + more };
  });
  return likeliest(blocks).map(({ first: at, count }) => file.span(at, count, wanted.withNewline));
}

/** Yields the ranges of at most `most` lines that begin and end with these lines. */
function* rangesBetween(all: readonly string[], first: string, last: string, most: number): Generator<Range> {
  for (let at = all.indexOf(first); at !== -1; at = all.indexOf(first, at + 1)) {
    const limit = Math.min(all.length, at + most);
    for (let end = at + 1; end < limit; end += 1)
      if (all[end] === last) yield { first: at, count: end - at + 1 };
  }
}

/**
 * Finds blocks of equal length that are at least 0.9 similar, with at least half of the lines
 * equal. The first or last line may have a slip. Several if the choice is unclear.
 */
export function blocksInContext(file: FileLines, wanted: WantedLines): Span[] {
  const lines = wanted.lines.map(trimmed);
  const notBlank = lines.filter((line) => line !== '').length;
  if (lines.length < leastLines || notBlank < leastLines) return [];
  const all = file.folded(trimmed);
  const ranges = [...equalLines(all, lines)]
    .filter(([, equal]) => equal * 2 >= notBlank)
    .map(([first]) => ({ first, count: lines.length }));
  const blocks = similarBlocks(all, ranges, lines, { least: leastWhole, margin: 0 });
  return likeliest(blocks).map(({ first, count }) => file.span(first, count, wanted.withNewline));
}

/** Counts the equal lines of each range as long as `lines`, by its first line. */
function equalLines(all: readonly string[], lines: readonly string[]): Map<number, number> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line) ?? [];
    if (line !== '' && known.length < mostVotes) places.set(line, [...known, index]);
  }
  const counts = new Map<number, number>();
  for (const [index, line] of all.entries()) {
    for (const offset of places.get(line) ?? []) {
      const first = index - offset;
      if (first >= 0 && first + lines.length <= all.length) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Returns the ranges with a similarity of at least `least`, which is their likelihood. The `margin`
 * lines at both ends are not compared. Empty once the budget is used up.
 */
function similarBlocks(
  all: readonly string[],
  ranges: Iterable<Range>,
  wanted: readonly string[],
  { least, margin }: { readonly least: number; readonly margin: number },
): Block[] {
  const compare = comparer(wanted, least);
  const offsets = runningLengths(all);
  const blocks: Block[] = [];
  for (const { first, count } of ranges) {
    const [from, to] = [first + margin, first + count - margin];
    const length = (offsets[to] ?? 0) - (offsets[from] ?? 0);
    const likelihood = compare(length, () => all.slice(from, to));
    if (likelihood === null) return [];
    if (likelihood >= least) blocks.push({ first, count, likelihood });
  }
  return blocks;
}

/**
 * Returns a function for the similarity of lines to `wanted`: 0 if surely below `least`, null once
 * the budget is used up.
 */
function comparer(
  wanted: readonly string[],
  least: number,
): (length: number, lines: () => readonly string[]) => number | null {
  const whole = wanted.join('\n').length;
  let used = 0;
  return (length, lines) => {
    const most = Math.max(length - 1, whole);
    if (most <= 0) return 1;
    // The distance is at least the difference of the lengths.
    if (1 - Math.abs(length - 1 - whole) / most < least) return 0;
    const compared = lines();
    const [text, other] = differing(wanted, compared);
    used += text.length * other.length + wanted.length + compared.length;
    return used > budget ? null : 1 - distance(text, other) / most;
  };
}

/** Returns two blocks without their common first and last lines. */
function differing(a: readonly string[], b: readonly string[]): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let [before, after] = [0, 0];
  while (before < shorter && a[before] === b[before]) before += 1;
  while (after < shorter - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after += 1;
  return [a.slice(before, a.length - after).join('\n'), b.slice(before, b.length - after).join('\n')];
}

/** Keeps the likeliest of overlapping blocks, unless another is about as likely. */
function likeliest(blocks: readonly Block[]): Block[] {
  if (blocks.length > mostBlocks) return [];
  const sorted = blocks.toSorted((a, b) => b.likelihood - a.likelihood);
  const chosen: Block[] = [];
  for (const block of sorted) {
    const better = chosen.find((one) => overlap(one, block));
    if (better === undefined || better.likelihood - block.likelihood < clearlyMore) chosen.push(block);
  }
  return chosen.toSorted((a, b) => a.first - b.first);
}

function overlap(a: Block, b: Block): boolean {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

/** Returns the number of characters before each line, newlines included. */
function runningLengths(lines: readonly string[]): Uint32Array {
  const lengths = new Uint32Array(lines.length + 1);
  for (const [index, line] of lines.entries()) lengths[index + 1] = (lengths[index] ?? 0) + line.length + 1;
  return lengths;
}

/** Returns the difference in indentation of two lines, in characters. */
function indentStep(lines: readonly string[], from: number, to: number): number {
  const indent = (line = '') => line.length - line.trimStart().length;
  return indent(lines[to]) - indent(lines[from]);
}
