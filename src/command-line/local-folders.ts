import os from 'node:os';
import path from 'node:path';

/** Returns the base folder of local runs: outside every checkout, one per user of the machine. */
export function localRunsFolder(): string {
  return path.join(os.tmpdir(), `anode-runs-${process.getuid?.()}`);
}

/**
 * Returns the folder of local set-up results: in the user's cache, where no other user can place
 * one. Root's are in the system's cache, since commands may run as the owner of a checkout, who
 * cannot read root's home.
 */
export function localSetupFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CACHE_HOME, HOME } = environment;
  if (XDG_CACHE_HOME) return path.join(XDG_CACHE_HOME, 'anode', 'set-up');
  if (process.getuid?.() === 0) return '/var/cache/anode/set-up';
  return path.join(HOME ?? os.homedir(), '.cache', 'anode', 'set-up');
}
