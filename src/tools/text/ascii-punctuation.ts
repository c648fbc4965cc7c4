const typographic = /[\u00a0\u2002-\u200a\u2010-\u2015\u2018-\u201f\u202f\u205f\u2212\u3000]/;

/**
 * Replaces typographic quotes, dashes and spaces by their ASCII forms. Each character stays one
 * character, so that offsets are preserved.
 */
export function asciiPunctuation(text: string): string {
  if (!typographic.test(text)) return text;
  return text
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
