/** Brackets that a comma belongs to. */
const opening = '{[(';
const closing = '}])';

/**
 * The globs in a list such as `*.go,*.md`: it is split at commas outside of brackets that no backslash precedes.
 * What is empty is left out.
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
