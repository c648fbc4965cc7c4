import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { StateRoot, StateStore } from '../contract/state-store.ts';
import { createFileStateStore } from '../state/file-state-store.ts';
import { tenantStore } from '../state/repository-state.ts';

/** State of this user's runs: of all checkouts, and of one. */
export interface LocalState {
  readonly root: StateRoot;
  readonly state: StateStore;
}

/**
 * Opens the state of runs on a local checkout, in the user's state folder, created on first write.
 * XDG_STATE_HOME counts if absolute (XDG Base Directory Specification). A local folder has no id at
 * GitHub, so its path identifies it. Only the user can replace the checkout, and its stored state
 * goes to that user, not to GitHub.
 */
export function localState(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): LocalState {
  const named = environment.XDG_STATE_HOME ?? '';
  const home = path.isAbsolute(named)
    ? named
    : path.join(environment.HOME ?? os.homedir(), '.local', 'state');
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 32);
  const kept = createFileStateStore({ folder: path.join(home, 'anode'), secret: null, onRejected: warn });
  return { root: kept, state: tenantStore(kept, `local/${hash}`, null) };
}
