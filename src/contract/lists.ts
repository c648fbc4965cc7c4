/**
 * Puts items at the end of a list, however many they are. `list.push(...items)` passes each item as
 * an argument, and the stack has space for about a hundred thousand (`RangeError: Maximum call
 * stack size exceeded`).
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/**
 * The largest of some numbers and of `least`, however many they are: `Math.max(...numbers)` passes
 * each number as an argument, and the stack has space for about a hundred thousand. `least` itself
 * where there are none.
 */
export function largest(numbers: Iterable<number>, least: number = Number.NEGATIVE_INFINITY): number {
  let found = least;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The smallest of them and of `most`. */
export function smallest(numbers: Iterable<number>, most: number = Number.POSITIVE_INFINITY): number {
  let found = most;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Returns a copy of a list. Undefined for an empty list, so a field can be omitted. */
export function nonEmpty<Item>(list: readonly Item[]): Item[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
