import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { KeptState } from '../compose/run/run-state.ts';
import { createFileStateStore } from '../state/file-state-store.ts';

/**
 * Where runs on a local checkout keep what later ones see: in the user's own state folder, made when first written
 * to. XDG_STATE_HOME counts where it is absolute, as the XDG Base Directory Specification has it.
 */
export function localKeptState(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): KeptState {
  const named = environment.XDG_STATE_HOME ?? '';
  const home = path.isAbsolute(named)
    ? named
    : path.join(environment.HOME ?? os.homedir(), '.local', 'state');
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 32);
  return {
    store: createFileStateStore({ folder: path.join(home, 'anode'), secret: null, onRejected: warn }),
    repository: `local/${hash}`,
  };
}
