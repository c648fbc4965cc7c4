import type { Matcher } from '../../contract/rules.ts';
import { patternMatches } from './compile-pattern.ts';

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
