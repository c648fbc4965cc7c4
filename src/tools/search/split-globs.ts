/** Brackets that a comma may be part of. */
const opening = '{[(';
const closing = '}])';

/**
 * Splits a list of globs such as `*.go,*.md` at commas outside brackets, unless escaped by a
 * backslash. Empty parts are dropped.
 */
export function splitGlobs(globs: string): string[] {
  const parts = [''];
  let depth = 0;
  let escaped = false;
  for (const character of globs) {
    if (!escaped && opening.includes(character)) depth += 1;
    if (!escaped && closing.includes(character)) depth -= 1;
    if (character === ',' && depth <= 0 && !escaped) parts.push('');
    else parts[parts.length - 1] += character;
    escaped = character === '\\' && !escaped;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
