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

const terminalCode = String.raw`(?:\x1b|\\{1,8}(?:u001b|x1b|033|e))\[[0-9;?]{0,20}[a-z]`;
const lineEscape = String.raw`\\{1,8}(?-i:[nrt])`;
const hexadecimalMark = '(?<![0-9a-z])0x(?=[0-9a-f]{2}(?![0-9a-f]))';
const byteEscape = String.raw`\\{1,8}x(?=[0-9a-f]{2})`;
/** Units without a meaning. Decoded, the escape of a byte has one. */
const droppedUnit = new RegExp(`${terminalCode}|${lineEscape}|${hexadecimalMark}`, 'iy');
const droppedOrByte = new RegExp(`${droppedUnit.source}|${byteEscape}`, 'iy');

const escapedCharacter = String.raw`\\{1,8}(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))`;
const escapedBytes = '(?:%(?:25){0,8}[0-9a-f]{2})+';
const reference = String.raw`&(?:amp;){0,8}(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|(?:lt|gt|quot|apos);)|&(?:amp;){1,8}`;
const encodedUnit = new RegExp(`${escapedCharacter}|${escapedBytes}|${reference}`, 'iy');

/**
 * Keeps letters and digits. Drops white space, line ends (also written as `\n`), punctuation,
 * invisible characters and terminal colours. A secret that was wrapped, spaced out, quoted or
 * highlighted is whole again.
 *
 * With `decode`, escapes of URLs (RFC 3986), HTML, JSON and programs are decoded, even if escaped
 * repeatedly. `ranges` limits the text to parts, which are then joined.
 */
export function normaliseText(
  text: string,
  decode: boolean,
  ranges: readonly CharacterRange[] = [{ start: 0, end: text.length }],
): NormalisedText {
  const units = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let count = 0;
  const put = (code: number, start: number, end: number): void => {
    units[count] = code;
    starts[count] = start;
    ends[count] = end;
    count += significant[code] ?? 0;
  };
  for (const range of ranges) {
    for (let at = range.start; at < range.end; ) {
      const unit = mayBeginUnit(text, at, decode) ? unitAt(text, at, decode) : null;
      const end = unit?.end ?? at + 1;
      if (unit === null) put(text.charCodeAt(at), at, end);
      else
        for (let index = 0; index < unit.characters.length; index++)
          put(unit.characters.charCodeAt(index), at, end);
      at = end;
    }
  }
  return { text: Buffer.from(units.buffer, 0, count * 2).toString('utf16le'), starts, ends };
}

/** Returns true for a backslash, an escape character and `0x`, and for `%` and `&` to decode. */
function mayBeginUnit(text: string, at: number, decode: boolean): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x30) return (text.charCodeAt(at + 1) | 0x20) === 0x78;
  return code === 0x5c || code === 0x1b || (decode && (code === 0x25 || code === 0x26));
}

/** Reads the unit at a position. Null if the character there stands for itself. */
function unitAt(text: string, at: number, decode: boolean): { characters: string; end: number } | null {
  const code = text.charCodeAt(at);
  const end = code === 0x25 || code === 0x26 ? null : endOf(decode ? droppedUnit : droppedOrByte, text, at);
  if (end !== null) return { characters: '', end };
  if (!decode) return null;
  encodedUnit.lastIndex = at;
  const found = encodedUnit.exec(text);
  return found && { characters: decoded(found), end: encodedUnit.lastIndex };
}

function endOf(unit: RegExp, text: string, at: number): number | null {
  unit.lastIndex = at;
  return unit.test(text) ? unit.lastIndex : null;
}

function decoded(found: RegExpExecArray): string {
  // An array pattern would use an iterator, which is slower.
  const { 0: unit, 1: short, 2: long, 3: byte, 4: referred, 5: decimal } = found;
  if (unit.startsWith('%')) return Buffer.from(unit.replace(/%(?:25)*/g, ''), 'hex').toString('utf8');
  const hexadecimal = short ?? long ?? byte ?? referred ?? '';
  return fromCode(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
}

const fromCode = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Ranges of ASCII without letters and digits, of white space, and of invisible characters. */
const insignificant: readonly (readonly [number, number])[] = [
  [0, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  // The first half of U+E0000 to U+E03FF: tags and more selectors. The second half stays, alone.
  [0xdb40, 0xdb40],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];

/** One for each character that is kept, by its code. */
const significant = new Uint8Array(0x10000).fill(1);
for (const [first, last] of insignificant) significant.fill(0, first, last + 1);
