/**
 * Characters that a reader would not see, or that change how others are read: controls but for line feed and tab, the
 * carriage return among them, formats (bidirectional marks, joiners, tags), separators of lines, spaces other than the
 * plain one, variation selectors, fillers, and halves of pairs. Unicode, "General Category Values".
 */
const unseen =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: characters that combine are what is looked for
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180D\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}]/gu;

/** A text as a person has to see it who decides on it: what would be invisible is spelt out, as in `<U+202E>`. */
export function shownWhole(text: string): string {
  return text.replace(unseen, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `<U+${code}>`;
  });
}
