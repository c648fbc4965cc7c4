/**
 * Whether a glob of `*` and `?` is the whole of a text, in time that grows with the text alone: one star is enough to go back to,
 * as what an earlier one could take, the last one can take too. A regular expression in it stands for one character.
 */
export function globMatches(glob: ArrayLike<string | RegExp>, text: string): boolean {
  let [at, place] = [0, 0];
  let [starAt, starPlace] = [-1, -1];
  while (at < text.length) {
    const wanted = glob[place];
    if (wanted === '*') {
      [starAt, starPlace] = [at, place];
      place++;
    } else if (wanted !== undefined && fits(wanted, text[at] ?? '')) {
      at++;
      place++;
    } else if (starPlace >= 0) {
      starAt++;
      at = starAt;
      place = starPlace + 1;
    } else return false;
  }
  while (glob[place] === '*') place++;
  return place === glob.length;
}

function fits(wanted: string | RegExp, character: string): boolean {
  if (typeof wanted !== 'string') return wanted.test(character);
  return wanted === '?' || wanted === character;
}
