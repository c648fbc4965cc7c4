/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The items in a random order, the groups in turn: the first n are spread evenly over the groups
 * while these last.
 *
 * @param random gives numbers from 0 up to 1
 */
export function shuffledInTurn<T>(groups: readonly (readonly T[])[], random: () => number): T[] {
  const mixed = groups.map((group) => shuffled(group, random));
  const longest = Math.max(0, ...mixed.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => mixed.flatMap((group) => group.slice(at, at + 1))).flat();
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
