import { parseRegex, type RegexNode } from './regex-syntax.ts';

/**
 * A pattern of a rule: a glob for the whole text, or a regular expression searched anywhere in it.
 */
export type Pattern =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'regex'; readonly tree: RegexNode; readonly flags: string };

/** A longer one is not realistic, and would cost time on every call. */
const longestPattern = 1_000;

/**
 * Reads a pattern. `/…/` is a regular expression, with optional flags (`i`, `m`, `s`, `u`) after
 * the last slash; anything else is a glob. Throws `SyntaxError` on a pattern that cannot be used.
 */
export function parsePattern(text: string): Pattern {
  if (text.length > longestPattern)
    throw new SyntaxError(`it has ${text.length} characters, more than ${longestPattern}`);
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (source === undefined) return { kind: 'glob', glob: text };
  return { kind: 'regex', tree: parseRegex(source, flags), flags };
}

/** Says why a pattern of a configuration cannot be used; null if it can. */
export function patternProblemOf(text: string): string | null {
  try {
    parsePattern(text);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const short = text.length > 100 ? `${text.slice(0, 99)}…` : text;
    return `${short} cannot be used as a ${text.startsWith('/') ? 'regular expression' : 'pattern'}: ${error.message}`;
  }
}
