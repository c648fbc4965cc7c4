import { smallest } from '../contract/lists.ts';

/** Calls `found` with the position and index of each literal in the text. Matches may overlap. */
export type LiteralSearch = (text: string, found: (at: number, literal: number) => void) => void;

/**
 * Prepares a search for many literals in one pass that skips most characters. Literals have at
 * least 3 UTF-16 units.
 *
 * S. Wu and U. Manber, "A fast algorithm for multi-pattern searching", 1994.
 */
export function createLiteralSearch(literals: readonly string[]): LiteralSearch {
  if (literals.length === 0) return () => {};
  const shortest = smallest(literals.map((literal) => literal.length));
  if (shortest < 3) throw new Error('A literal to search for has fewer than 3 characters.');
  const window = Math.min(shortest, 64);
  const shifts = new Uint8Array(65_536).fill(window - 1);
  const ending = new Map<number, number[]>();
  for (const [index, literal] of literals.entries()) {
    for (let end = 1; end < window; end++) {
      const block = blockOf(literal.charCodeAt(end - 1), literal.charCodeAt(end));
      shifts[block] = Math.min(shifts[block] ?? 0, window - 1 - end);
      if (end < window - 1) continue;
      const same = ending.get(block);
      if (same === undefined) ending.set(block, [index]);
      else same.push(index);
    }
  }
  return (text, found) => {
    const { length } = text;
    for (let end = window - 1; end < length; ) {
      const block = blockOf(text.charCodeAt(end - 1), text.charCodeAt(end));
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const at = end - window + 1;
      for (const index of ending.get(block) ?? []) {
        if (text.startsWith(literals[index] ?? '', at)) found(at, index);
      }
      end += 1;
    }
  };
}

/** Hashes two characters; different pairs may collide. */
function blockOf(first: number, second: number): number {
  return ((first * 251) ^ second) & 0xffff;
}
