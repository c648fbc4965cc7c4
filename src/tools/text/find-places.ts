/** Above this product of lengths the engine's own search, which may take time that grows with it, is not used. */
const mostProduct = 100_000_000;

/**
 * The offsets at which a text that is not empty stands in another, from left to right, none within the one before. Takes time that grows
 * with both lengths, whatever the texts are (Knuth, Morris and Pratt).
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

/** For each beginning of a text, the length of the longest end of it that it begins with, itself aside. */
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
