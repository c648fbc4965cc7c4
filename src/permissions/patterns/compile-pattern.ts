import { type Pattern, parsePattern } from '../../contract/pattern.ts';
import type { Matcher } from '../../contract/rules.ts';
import { compileRegex } from './compile-regex.ts';
import { globMatches } from './match-globs.ts';

/**
 * Returns true if a policy's pattern matches a text, in time linear in the text. Throws
 * `SyntaxError` on a bad regular expression.
 *
 * `/…/` with optional flags is a regular expression, matched anywhere. Anything else is a glob over
 * the whole text: `*` crosses spaces and slashes, `?` is one character, and a trailing ` *` may be
 * absent.
 */
export function patternMatches(pattern: string, text: string): boolean {
  return compilePattern(parsePattern(pattern))(text);
}

/** Compiles a pattern for many texts. */
export function compilePattern(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === 'regex') return compileRegex(pattern.tree, pattern.flags);
  const { glob } = pattern;
  if (!glob.endsWith(' *')) return (text) => globMatches(glob, text);
  const bare = glob.slice(0, -2);
  return (text) => globMatches(bare, text) || globMatches(glob, text);
}

/** Returns a sentence about the first invalid pattern in a matcher, or null. */
export function patternProblem(matcher: Matcher): string | null {
  if (typeof matcher === 'string') {
    try {
      patternMatches(matcher, '');
      return null;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return `${matcher} is no regular expression: ${error.message}`;
    }
  }
  if (typeof matcher !== 'object' || matcher === null) return null;
  for (const inner of Object.values(matcher)) {
    const problem = patternProblem(inner);
    if (problem !== null) return problem;
  }
  return null;
}
