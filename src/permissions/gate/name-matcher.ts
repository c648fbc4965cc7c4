import { globMatches } from '../patterns/glob-matches.ts';

/**
 * Tests names against patterns: a name as it is, or a glob of `*` and `?`, in time that grows with the name alone, as models
 * send such patterns too.
 */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.length === 0) return () => false;
  const names = new Set(patterns);
  const globs = patterns.filter((pattern) => /[*?]/.test(pattern));
  return (name) => names.has(name) || globs.some((glob) => globMatches(glob, name));
}
