/**
 * Whether a policy's pattern matches a text. `/…/` is a regular expression (flags may follow the last
 * slash), tried anywhere in the text; anything else is a glob over the whole text, in which `*` crosses
 * spaces and slashes, `?` is one character, and a trailing ` *` also matches the text before it. Throws
 * `SyntaxError` on a bad regular expression.
 */
export function patternMatches(pattern: string, text: string): boolean {
  return patternRegExp(pattern).test(text);
}

/** The regular expression that a policy's pattern stands for. Throws `SyntaxError` on a bad one. */
function patternRegExp(pattern: string): RegExp {
  const regex = /^\/(.+)\/([imsu]*)$/s.exec(pattern);
  if (regex?.[1] !== undefined) return new RegExp(regex[1], regex[2]);
  const open = pattern.endsWith(' *');
  const body = (open ? pattern.slice(0, -2) : pattern)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${body}${open ? '(?: .*)?' : ''}$`, 's');
}
