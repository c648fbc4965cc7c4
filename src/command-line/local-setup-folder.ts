import os from 'node:os';
import path from 'node:path';

/**
 * Where results of local set-ups are kept: among the user's caches, where nobody else of the machine can put one. Root's are among the
 * system's, since commands may run as the owner of a checkout, who has to reach them and nobody's home.
 */
export function localSetupFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CACHE_HOME, HOME } = environment;
  if (XDG_CACHE_HOME) return path.join(XDG_CACHE_HOME, 'anode', 'set-up');
  if (process.getuid?.() === 0) return '/var/cache/anode/set-up';
  return path.join(HOME ?? os.homedir(), '.cache', 'anode', 'set-up');
}
