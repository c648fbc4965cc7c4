/** Named references that can spell markup or hide characters. Others stay encoded. */
const named: Readonly<Record<string, string>> = {
  lt: '<',
  LT: '<',
  gt: '>',
  GT: '>',
  amp: '&',
  AMP: '&',
  quot: '"',
  QUOT: '"',
  apos: "'",
  excl: '!',
  num: '#',
  dash: '\u2010',
  hyphen: '\u2010',
  lpar: '(',
  rpar: ')',
  lbrack: '[',
  lsqb: '[',
  rbrack: ']',
  rsqb: ']',
  colon: ':',
  sol: '/',
  bsol: '\\',
  equals: '=',
  grave: '`',
  commat: '@',
  nbsp: ' ',
  NewLine: '\n',
  Tab: '\t',
  shy: '\u00AD',
  zwj: '\u200D',
  zwnj: '\u200C',
  lrm: '\u200E',
  rlm: '\u200F',
  ZeroWidthSpace: '\u200B',
  NoBreak: '\u2060',
  InvisibleTimes: '\u2062',
  InvisibleComma: '\u2063',
};

/**
 * Decodes HTML character references: decimal, hexadecimal, and named ones that can spell markup.
 * Invalid numbers become U+FFFD, as in browsers (HTML, "Numeric character reference end state").
 */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,10});?|#[xX]([0-9a-fA-F]{1,8});?|([A-Za-z]+);)/g,
    (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}
