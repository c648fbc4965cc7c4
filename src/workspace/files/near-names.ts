const MAX_DISTANCE = 3;

/**
 * Levenshtein's distance: single-character insertions, deletions and substitutions from `a` to `b`.
 */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, left] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, right] of [...b].entries()) {
      const substitution = (previous[column] ?? 0) + (left === right ? 0 : 1);
      current.push(Math.min((previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/**
 * Returns at most three names similar to `wanted`, nearest first. Similar means another case,
 * another extension, or up to three typing mistakes (fewer in a short name).
 */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const stem = (name: string) => name.toLowerCase().replace(/\.[^.]*$/, '');
  const allowed = Math.min(MAX_DISTANCE, Math.ceil(wanted.length / 2));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= MAX_DISTANCE || stem(name) === stem(wanted))
    .map((name) => {
      const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
      return { name, distance: stem(name) === stem(wanted) ? Math.min(distance, 1) : distance };
    })
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}
