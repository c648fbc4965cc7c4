/** What GitHub does not show, or shows other than written. */
interface HiddenPart {
  readonly kind: string;
  readonly pattern: RegExp;
  /** False for what honest people use too. */
  readonly alarming: boolean;
}

const white = String.raw`(?:\{\s*)?(?:white|transparent|#f{3,8}|#fefefe|#0d1117|rgba?\(\s*255\s*,\s*255\s*,\s*255[^)\\]*\))\s*(?:\}\s*)?`;

/** Each is taken out whole and told. */
export const hiddenParts: readonly HiddenPart[] = [
  // HTML, "Comments": an unterminated one hides everything after it.
  { kind: 'HTML comment', pattern: /<!--[\s\S]*?(?:--!?>|$)/g, alarming: false },
  { kind: 'HTML declaration', pattern: /<![A-Za-z[][\s\S]*?(?:>|$)/g, alarming: true },
  { kind: 'processing instruction', pattern: /<\?[\s\S]*?(?:\?>|$)/g, alarming: true },
  {
    kind: 'HTML element that is not shown',
    pattern:
      /<(script|style|template|noscript|iframe|object|svg|math|title|textarea|head|datalist|audio|video|canvas|rp)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
    alarming: true,
  },
  {
    kind: 'HTML tag that is not shown',
    pattern: /<(?:source|track|meta|link|base|input|embed|param)\b[^>]*(?:>|$)/gi,
    alarming: false,
  },
  {
    kind: 'image too small to be seen',
    pattern: /<img\b(?=[^<>]*\s(?:width|height)\s*=\s*["']?[01](?:px)?(?=["'\s/>]))[^<>]*>/gi,
    alarming: false,
  },
  {
    kind: 'formula in the colour of the page',
    pattern: new RegExp(
      String.raw`\\(?:text)?color\s*${white}(?:\{[^{}]*\}|[^$\n]*)|\\[hv]?phantom\s*\{[^{}]*\}|\\(?:text)?color(?:\[[^\]\\]*\])?\{1(?:,1){2}\}[^$\n]*`,
      'gi',
    ),
    alarming: true,
  },
  // Link reference definitions that no link uses, the Markdown way to write a comment.
  {
    kind: 'Markdown comment',
    pattern: /^[ \t>]*\[(?:\/\/|#|comment|\s*)\]:[^\n]*(?:\n[ \t]+[^\n]*)?$/gim,
    alarming: true,
  },
  {
    kind: 'data URL',
    pattern: /\bdata:[a-z0-9.+-]*(?:\/[a-z0-9.+-]*)?(?:;[\w=.-]+)*,[^\s)"'<>]*/gi,
    alarming: false,
  },
];
