/**
 * Characters that are invisible or change the text direction. Includes Unicode's default ignorables
 * (joiners, direction marks, variation selectors, tags, fillers, soft hyphens), controls and
 * annotation marks. Excludes white space.
 */
export const invisible =
  /[[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]--[\t\n\r]]/gv;

/** Separates two characters that would have a meaning together; invisible to readers. */
export const apart = '\u200b';

/**
 * Flags of England, Scotland and Wales, the only tag sequences in use (Unicode, "RGI Emoji Tag
 * Sequence Set").
 */
export const tagFlags =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;

const picture = /[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}]/u;
const endOfPicture = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;

/**
 * Scripts in which joiners are visible (Unicode Standard Annex 31, "Layout and Format Control
 * Characters").
 */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;

/** A text without invisible characters, their count, and the text that tag characters spell. */
interface VisibleText {
  readonly text: string;
  readonly count: number;
  readonly tags: string;
}

/**
 * Removes invisible characters, except those that an emoji or a letter needs. These are joiners
 * between emoji or between letters of some scripts, and presentation selectors after an emoji. A
 * line separator becomes a line end.
 */
export function stripInvisible(text: string): VisibleText {
  const flags = [...text.matchAll(tagFlags)].map(
    ({ index, 0: flag }) => [index, index + flag.length] as const,
  );
  let count = 0;
  let tags = '';
  let nextFlag = 0;
  const visible = text.toWellFormed().replace(invisible, (character: string, at: number) => {
    while ((flags[nextFlag]?.[1] ?? Number.POSITIVE_INFINITY) <= at) nextFlag++;
    if (at >= (flags[nextFlag]?.[0] ?? Number.POSITIVE_INFINITY) || makesSense(text, character, at))
      return character;
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x2028 || code === 0x2029) return '\n';
    count += 1;
    if (code >= 0xe0020 && code <= 0xe007e) tags += String.fromCharCode(code - 0xe0000);
    return '';
  });
  return { text: visible, count, tags };
}

/** Returns true if a joiner or selector is part of an emoji or a letter. */
export function makesSense(text: string, character: string, at: number): boolean {
  if (!'\u200C\u200D\uFE0E\uFE0F'.includes(character)) return false;
  const before = characterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  if (character === '\uFE0E' || character === '\uFE0F') {
    return /[0-9#*]/.test(before) ? after === '\u20E3' : picture.test(before);
  }
  if (joining.test(before) && joining.test(after)) return true;
  return character === '\u200D' && endOfPicture.test(before) && picture.test(after);
}

function characterBefore(text: string, at: number): string {
  const pair = at > 1 ? (text.codePointAt(at - 2) ?? 0) : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(at - 1);
}

/**
 * Characters invisible to a reader, or that change how others are read.
 *
 * Controls except line feed and tab; formats (bidirectional marks, joiners, tags); line separators;
 * special spaces; what a font without a glyph leaves out (variation selectors, fillers); lone
 * surrogates. Unicode, "General Category Values".
 */
const unseen = /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}]--[\n\t ]]/gv;

/** Spells out invisible characters, as in `<U+202E>`, for a person who decides on the text. */
export function spellOutInvisible(text: string): string {
  return text.replace(unseen, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `<U+${code}>`;
  });
}
