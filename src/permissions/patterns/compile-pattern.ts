import { type Matcher, type Pattern, parsePattern } from '../../contract/rules.ts';
import { compileRegex } from './compile-regex.ts';
import { globMatches } from './match-globs.ts';

/**
 * Whether a policy's pattern matches a text. `/…/` is a regular expression (flags may follow the last
 * slash), tried anywhere in the text; anything else is a glob over the whole text, in which `*` crosses
 * spaces and slashes, `?` is one character, and a trailing ` *` also matches the text before it. Takes time in
 * proportion to the text, whatever pattern and text are. Throws `SyntaxError` on a bad regular expression.
 */
export function patternMatches(pattern: string, text: string): boolean {
  return compilePattern(parsePattern(pattern))(text);
}

/** The test that a pattern stands for, for many texts. */
export function compilePattern(pattern: Pattern): (text: string) => boolean {
  if (pattern.kind === 'regex') return compileRegex(pattern.tree, pattern.flags);
  const { glob } = pattern;
  if (!glob.endsWith(' *')) return (text) => globMatches(glob, text);
  const bare = glob.slice(0, -2);
  return (text) => globMatches(bare, text) || globMatches(glob, text);
}

/** What is wrong with the first pattern in a matcher that cannot be used, in a sentence; null where all can. */
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
