import os from 'node:os';
import path from 'node:path';

/** Where results of local set-ups are kept: among the user's caches, where nobody else of the machine can put one. */
export function localSetupFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const home = environment.XDG_CACHE_HOME ?? path.join(environment.HOME ?? os.homedir(), '.cache');
  return path.join(home, 'anode', 'set-up');
}
