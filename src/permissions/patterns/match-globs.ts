/**
 * Returns true if a glob of `*` and `?` matches a whole text. A regular expression in it stands
 * for one character. The time grows with the text alone.
 */
export function globMatches(glob: ArrayLike<string | RegExp>, text: string): boolean {
  return sequenceMatches(glob, text, '*', fitsCharacter);
}

function fitsCharacter(wanted: string | RegExp, character: string): boolean {
  if (typeof wanted !== 'string') return wanted.test(character);
  return wanted === '?' || wanted === character;
}

/**
 * Matches all items against a pattern in which `star` stands for any number of them. Backtracking
 * to the last star suffices: it can take whatever an earlier one could.
 */
export function sequenceMatches<Wanted, Item>(
  pattern: ArrayLike<Wanted>,
  items: ArrayLike<Item>,
  star: Wanted,
  fits: (wanted: Wanted, item: Item) => boolean,
): boolean {
  let at = 0;
  let index = 0;
  let starAt = -1;
  let starIndex = -1;
  while (at < items.length) {
    const wanted = pattern[index];
    if (wanted === star) {
      [starAt, starIndex] = [at, index];
      index++;
    } else if (wanted !== undefined && fits(wanted, items[at] as Item)) {
      at++;
      index++;
    } else if (starIndex >= 0) {
      starAt++;
      at = starAt;
      index = starIndex + 1;
    } else return false;
  }
  while (pattern[index] === star) index++;
  return index === pattern.length;
}

/**
 * Makes a test for names: plain names, or globs of `*` and `?`. The time grows with the name
 * alone, since models send such patterns too.
 */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.length === 0) return () => false;
  const names = new Set(patterns);
  const globs = patterns
    .filter((pattern) => /[*?]/.test(pattern))
    .map((glob) => ({ glob, start: glob.slice(0, glob.search(/[*?]/)) }));
  return (name) =>
    names.has(name) || globs.some(({ glob, start }) => name.startsWith(start) && globMatches(glob, name));
}
