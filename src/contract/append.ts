/**
 * Puts items at the end of a list, however many they are. `list.push(...items)` hands each over as an argument of its own, which the stack
 * has room for about a hundred thousand of (`RangeError: Maximum call stack size exceeded`).
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
