/**
 * The fewest ranges that hold the same days, in order: ranges that overlap or touch become one. The ranges
 * given are not changed.
 */
export function mergeRanges(ranges) {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const merged = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1) {
      last.to = range.to;
    } else {
      merged.push({ ...range });
    }
  }
  return merged;
}
