/** A text reduced to its significant characters, with the source position of each. */
export interface NormalisedText {
  readonly text: string;
  /** Start and end in the source of the unit behind each character. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A part of a text; `end` is exclusive. */
export interface CharacterRange {
  readonly start: number;
  readonly end: number;
}

/** Matches what `decode` changes. Other texts normalise the same with and without it. */
export const encoded = /%[0-9a-f]{2}|\\{1,8}[ux][0-9a-f{]|&(?:#|amp;|lt;|gt;|quot;|apos;)/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's codes begin with one
const terminalCode = /(?:\u001b|\\{1,8}(?:u001b|x1b|033|e))\[[0-9;?]{0,20}[A-Za-z]/iy;
const lineEscape = /\\{1,8}[nrt]/y;
const byteEscape = /\\{1,8}x(?=[0-9a-f]{2})/iy;
const hexadecimalMark = /0x(?=[0-9a-f]{2}(?![0-9a-f]))/iy;
const escapedCharacter = /\\{1,8}(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))/iy;
const escapedBytes = /(?:%(?:25){0,8}[0-9a-f]{2})+/iy;
const reference = /&(?:amp;){0,8}(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|(?:lt|gt|quot|apos);)|&(?:amp;){1,8}/iy;

/**
 * Keeps letters and digits. Drops white space, line ends (also written as `\n`), punctuation,
 * invisible characters and terminal colours. A secret that was wrapped, spaced out, quoted or
 * highlighted is whole again.
 *
 * With `decode`, escapes of URLs (RFC 3986), HTML, JSON and programs are decoded, even if escaped
 * repeatedly. `ranges` limits the text to parts, which are then joined.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a loop over every character
export function normaliseText(
  text: string,
  decode: boolean,
  ranges: readonly CharacterRange[] = [{ start: 0, end: text.length }],
): NormalisedText {
  const units = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let count = 0;
  for (const range of ranges) {
    for (let at = range.start; at < range.end; ) {
      const code = text.charCodeAt(at);
      const begins =
        code === 0x5c || code === 0x1b || code === 0x30 || (decode && (code === 0x25 || code === 0x26));
      const unit = begins ? readUnit(text, at, code, decode) : null;
      const end = unit === null ? at + 1 : unit.end;
      if (unit === null) {
        units[count] = code;
        starts[count] = at;
        ends[count] = end;
        if (isSignificant(code)) count += 1;
      } else {
        for (let index = 0; index < unit.characters.length; index++) {
          units[count] = unit.characters.charCodeAt(index);
          starts[count] = at;
          ends[count] = end;
          if (isSignificant(units[count] ?? 0)) count += 1;
        }
      }
      at = end;
    }
  }
  return { text: Buffer.from(units.buffer, 0, count * 2).toString('utf16le'), starts, ends };
}

/**
 * Decodes the unit that begins with a backslash, escape character, zero, `%` or `&`. Null if the
 * character stands for itself.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case per beginning
function readUnit(
  text: string,
  at: number,
  code: number,
  decode: boolean,
): { characters: string; end: number } | null {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const dropped = (found: RegExpExecArray | null) =>
    found === null ? null : { characters: '', end: at + found[0].length };
  if (code === 0x30) {
    const before = at === 0 ? 0x20 : text.charCodeAt(at - 1);
    return before < 0x80 && isSignificant(before) ? null : dropped(match(hexadecimalMark));
  }
  if (code === 0x1b) return dropped(match(terminalCode));
  if (code === 0x5c) {
    const plain = match(terminalCode) ?? match(lineEscape);
    if (plain !== null) return dropped(plain);
    if (!decode) return dropped(match(byteEscape));
    const found = match(escapedCharacter);
    if (found === null) return null;
    const character = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16);
    return { characters: fromCode(character), end: at + found[0].length };
  }
  if (!decode) return null;
  if (code === 0x25) {
    const found = match(escapedBytes);
    if (found === null) return null;
    const bytes = found[0].replace(/%(?:25)*/g, '');
    return { characters: Buffer.from(bytes, 'hex').toString('utf8'), end: at + found[0].length };
  }
  const found = match(reference);
  if (found === null) return null;
  const [whole, decimal, hexadecimal] = found;
  const number = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return { characters: fromCode(number), end: at + whole.length };
}

const fromCode = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Returns true for ASCII letters and digits, and for every visible character beyond ASCII. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a test of every character
function isSignificant(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  if (code <= 0xa0 || code === 0xad) return false;
  if (code < 0x1160) return code !== 0x34f && code !== 0x61c && code !== 0x115f;
  if (code >= 0x2000 && code <= 0x206f) return code > 0x200f && code < 0x2028;
  const blank = code === 0x1160 || code === 0x3000 || code === 0x3164 || code === 0xfeff || code === 0xffa0;
  const selector = (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x180b && code <= 0x180f);
  // The first half of U+E0000 to U+E03FF: tags and more selectors. The second half stays, alone.
  return !blank && !selector && code !== 0xdb40;
}
