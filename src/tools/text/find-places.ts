/** Maximum product of lengths for the engine's own search, whose time may grow with it. */
const mostProduct = 100_000_000;

/**
 * Returns the offsets of a non-empty text in another, from left to right, without overlaps. Takes
 * linear time (Knuth, Morris and Pratt).
 */
export function findPlaces(content: string, wanted: string): number[] {
  const places: number[] = [];
  if (content.length * wanted.length > mostProduct) return inLinearTime(content, wanted);
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

function inLinearTime(content: string, wanted: string): number[] {
  const places: number[] = [];
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < content.length; at += 1) {
    const unit = content.charCodeAt(at);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (unit === wanted.charCodeAt(matched)) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = 0;
  }
  return places;
}

/** Returns for each prefix the length of its longest proper border. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (border > 0 && unit !== text.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (unit === text.charCodeAt(border)) border += 1;
    borders[at] = border;
  }
  return borders;
}
