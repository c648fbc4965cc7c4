/**
 * Returns the indexes from `from` on at which all of `wanted` follow each other in `lines`; matches
 * may overlap. Empty for no lines. Takes linear time.
 */
export function findLines(lines: readonly string[], wanted: readonly string[], from = 0): number[] {
  return findSequence(lines, wanted, { from, overlaps: true });
}

/** Maximum product of lengths for the engine's own search, whose time may grow with it. */
const mostProduct = 100_000_000;

/**
 * Returns the offsets of a non-empty text in another, from left to right, without overlaps. Takes
 * linear time.
 */
export function findPlaces(content: string, wanted: string): number[] {
  if (content.length * wanted.length > mostProduct)
    return findSequence(codeUnits(content), codeUnits(wanted), { from: 0, overlaps: false });
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

function codeUnits(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** Searches as Knuth, Morris and Pratt do ("Fast Pattern Matching in Strings"). */
function findSequence<Item>(
  items: ArrayLike<Item>,
  wanted: ArrayLike<Item>,
  { from, overlaps }: { readonly from: number; readonly overlaps: boolean },
): number[] {
  const places: number[] = [];
  if (wanted.length === 0) return places;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < items.length; at += 1) {
    const item = items[at];
    while (matched > 0 && item !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (item === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = overlaps ? (borders[matched - 1] ?? 0) : 0;
  }
  return places;
}

/** Returns for each prefix the length of its longest proper border. */
function bordersOf(wanted: ArrayLike<unknown>): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let border = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border - 1] ?? 0;
    if (wanted[at] === wanted[border]) border += 1;
    borders[at] = border;
  }
  return borders;
}
