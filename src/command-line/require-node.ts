import { ConfigError } from '../contract/errors.ts';

/** Oldest supported major version of Node, as in `engines` of package.json. */
export const oldestNode = 24;

/**
 * Throws `ConfigError` if Node's version (`24.1.0`) is too old, before it fails with an obscure
 * error.
 */
export function requireNode(version: string, program: string): void {
  if (Number.parseInt(version, 10) >= oldestNode) return;
  throw new ConfigError(
    `Anode needs Node ${oldestNode} or newer, and this is Node ${version} (${program}). Install a newer one, or put it first on PATH.`,
  );
}
