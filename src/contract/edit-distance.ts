/**
 * Returns the number of letters to insert, delete, replace or swap with a neighbour to turn `a`
 * into `b` (the optimal string alignment distance).
 */
export function editDistance(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const swapped =
        i > 0 && j > 0 && letter === right[j - 1] && left[i - 1] === other
          ? (above[j - 1] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    above = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
