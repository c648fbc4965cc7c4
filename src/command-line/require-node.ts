import { ConfigError } from '../contract/errors.ts';

/** The first major version of Node that runs this program; `engines` of package.json says the same. */
export const oldestNode = 24;

/** Throws `ConfigError` where the version (`24.1.0`) of the Node that runs us is too old; what it lacks would fail somewhere, in its own words. */
export function requireNode(version: string, program: string): void {
  if (Number.parseInt(version, 10) >= oldestNode) return;
  throw new ConfigError(
    `Anode needs Node ${oldestNode} or newer, and this is Node ${version} (${program}). Install a newer one, or put it first on PATH.`,
  );
}
