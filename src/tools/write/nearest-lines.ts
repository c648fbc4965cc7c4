import { numberLines } from '../text/number-lines.ts';

const shownLines = 12;
const leastSimilarity = 0.4;
/** Maximum ratio of lengths of similar lines. */
const lengthFactor = 4;
/** Maximum lines compared, so that a huge file does not take seconds. */
const comparedLines = 20_000;

/**
 * Returns the numbered lines most similar to a piece that was not found, by its longest line; null
 * if nothing is similar.
 */
export function nearestLines(content: string, wanted: string): string | null {
  const lines = content.split('\n', comparedLines).map((line) => line.replace(/\r$/, ''));
  const wantedLines = wanted.split('\n');
  const lengths = wantedLines.map((line) => line.trim().length);
  const length = lengths.reduce((most, one) => Math.max(most, one), 0);
  const longest = wantedLines[lengths.indexOf(length)] ?? '';
  const anchor = bigrams(longest);
  if (anchor.size === 0) return null;
  let nearest = -1;
  let best = leastSimilarity;
  for (const [index, line] of lines.entries()) {
    if (line.length * lengthFactor < length || line.trim().length > length * lengthFactor) continue;
    const similarity = dice(anchor, bigrams(line));
    if (similarity > best) [best, nearest] = [similarity, index];
  }
  if (nearest === -1) return null;
  const start = Math.max(0, nearest - Math.min(wantedLines.indexOf(longest), shownLines / 2));
  const count = Math.min(Math.max(wantedLines.length, 1), shownLines);
  return numberLines(lines.slice(start, Math.max(start + count, nearest + 1)), start + 1, 4000).text;
}

function bigrams(line: string): Set<string> {
  const text = line.trim().slice(0, 200);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same bigrams, 0 for none in common. */
function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}
