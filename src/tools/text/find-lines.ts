/**
 * Returns the indexes from `from` on at which all of `wanted` follow each other in `lines`; matches
 * may overlap. Empty for no lines. Takes linear time (Knuth, Morris and Pratt, "Fast Pattern
 * Matching in Strings").
 */
export function findLines(lines: readonly string[], wanted: readonly string[], from = 0): number[] {
  const places: number[] = [];
  if (wanted.length === 0) return places;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at];
    while (matched > 0 && line !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** Returns for each prefix the length of its longest proper border. */
function bordersOf(wanted: readonly string[]): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let border = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border - 1] ?? 0;
    if (wanted[at] === wanted[border]) border += 1;
    borders[at] = border;
  }
  return borders;
}
