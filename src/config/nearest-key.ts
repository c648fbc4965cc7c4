import { editDistance } from '../contract/edit-distance.ts';

/**
 * Returns the known word nearest to a misspelt one; null if more than a third of its letters
 * differ. One letter may always differ. Swapped neighbours count as one; case is ignored.
 */
export function nearestKey(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}
