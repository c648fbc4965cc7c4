import { parseRegex, type RegexNode } from './regex-syntax.ts';

/** A pattern of a rule: a glob over the whole text, or a regular expression that is tried anywhere in it. */
export type Pattern =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'regex'; readonly tree: RegexNode; readonly flags: string };

/** Longer, it is nobody's rule, and would cost time on every call. */
const longestPattern = 1_000;

/**
 * Reads a pattern. `/…/` is a regular expression, and flags (`i`, `m`, `s`, `u`) may follow the last slash;
 * anything else is a glob. Throws `SyntaxError` on a pattern that cannot be used.
 */
export function parsePattern(text: string): Pattern {
  if (text.length > longestPattern)
    throw new SyntaxError(`it has ${text.length} characters, more than ${longestPattern}`);
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (source === undefined) return { kind: 'glob', glob: text };
  return { kind: 'regex', tree: parseRegex(source, flags), flags };
}
