/** Providers take no longer names of tools. */
const longest = 64;

/**
 * The name under which a tool from elsewhere is registered: prefix and name in small letters, digits, dashes and
 * underscores, anything else an underscore. Null where nothing of the name is left.
 */
export function externalName(prefix: string, name: string): string | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain === '' ? null : `${prefix}${plain}`.slice(0, longest);
}
