import { createHash } from 'node:crypto';

/** Providers take no longer names of tools. */
const longest = 64;

/**
 * The name under which a tool of a server is registered, `mcp__<server>__<tool>`: what is no letter, digit, dash or underscore becomes
 * an underscore. A name that is too long ends in a digest of the whole, so that two with one beginning stay two. Null where
 * nothing of the name is left.
 */
export function mcpName(server: string, tool: string): string | null {
  const plain = tool.trim().replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  if (!/[A-Za-z0-9]/.test(plain)) return null;
  const name = `mcp__${server}__${plain}`;
  if (name.length <= longest) return name;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 7);
  return `${name.slice(0, longest - 8)}_${digest}`;
}
