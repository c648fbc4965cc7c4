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

interface Block {
  readonly first: number;
  readonly count: number;
  readonly likelihood: number;
}

/**
 * Finds blocks that begin and end with the wanted lines, ignoring whitespace around them, and whose
 * middle is similar: Levenshtein similarity of at least 0.65. Several if the choice is unclear.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scan, clearer whole.
export function anchoredBlocks(file: FileLines, wanted: WantedLines): Span[] {
  const lines = wanted.lines.map(trimmed);
  const [first, last] = [lines[0] ?? '', lines.at(-1) ?? ''];
  if (lines.length < leastLines || first === '' || last === '') return [];
  const all = file.folded(trimmed);
  const middle = lines.slice(1, -1);
  const compare = comparer(middle, leastMiddle);
  const offsets = runningLengths(all);
  const blocks: Block[] = [];
  let scanned = 0;
  for (let at = all.indexOf(first); at !== -1; at = all.indexOf(first, at + 1)) {
    const limit = Math.min(all.length, at + mostLines(lines.length));
    scanned += limit - at;
    if (scanned > budget) return [];
    for (let end = at + 1; end < limit; end += 1) {
      if (all[end] !== last) continue;
      const length = (offsets[end] ?? 0) - (offsets[at + 1] ?? 0);
      const similarity = compare(length, () => all.slice(at + 1, end));
      if (similarity === null) return [];
      if (similarity < leastMiddle) continue;
      const count = end - at + 1;
      const sameStep = indentStep(file.lines, at, end) === indentStep(wanted.lines, 0, lines.length - 1);
      const likelihood = similarity + (count === lines.length ? agreement : 0) + (sameStep ? agreement : 0);
      blocks.push({ first: at, count, likelihood });
    }
  }
  return likeliest(blocks).map(({ first: at, count }) => file.span(at, count, wanted.withNewline));
}

/**
 * Finds blocks of equal length that are at least 0.9 similar, with at least half of the lines
 * equal. The first or last line may have a slip. Several if the choice is unclear.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scan, clearer whole.
export function blocksInContext(file: FileLines, wanted: WantedLines): Span[] {
  const lines = wanted.lines.map(trimmed);
  const notBlank = lines.filter((line) => line !== '').length;
  if (lines.length < leastLines || notBlank < leastLines) return [];
  const all = file.folded(trimmed);
  const votes = new Map<number, number>();
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line) ?? [];
    if (line !== '' && known.length < mostVotes) places.set(line, [...known, index]);
  }
  for (const [index, line] of all.entries()) {
    for (const offset of places.get(line) ?? []) {
      const first = index - offset;
      if (first >= 0 && first + lines.length <= all.length) votes.set(first, (votes.get(first) ?? 0) + 1);
    }
  }
  const compare = comparer(lines, leastWhole);
  const offsets = runningLengths(all);
  const blocks: Block[] = [];
  for (const [first, equal] of votes) {
    if (equal * 2 < notBlank) continue;
    const end = first + lines.length;
    const length = (offsets[end] ?? 0) - (offsets[first] ?? 0);
    const similarity = compare(length, () => all.slice(first, end));
    if (similarity === null) return [];
    if (similarity >= leastWhole) blocks.push({ first, count: lines.length, likelihood: similarity });
  }
  return likeliest(blocks).map(({ first, count }) => file.span(first, count, wanted.withNewline));
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
