import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { StateRoot, StateStore } from '../contract/state-store.ts';
import { createFileStateStore } from '../state/file-state-store.ts';
import { tenantStore } from '../state/repository-state.ts';

/** What runs of this user keep: of all their checkouts, and of one. */
export interface LocalKeptState {
  readonly root: StateRoot;
  readonly state: StateStore;
}

/**
 * Where runs on a local checkout keep what later ones see: in the user's own state folder, made when first written
 * to. XDG_STATE_HOME counts where it is absolute, as the XDG Base Directory Specification has it. A folder has no id at GitHub, so its
 * path stands for it: the user alone can put another checkout there, and what runs read of it goes to that user, not to GitHub.
 */
export function localKeptState(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): LocalKeptState {
  const named = environment.XDG_STATE_HOME ?? '';
  const home = path.isAbsolute(named)
    ? named
    : path.join(environment.HOME ?? os.homedir(), '.local', 'state');
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 32);
  const kept = createFileStateStore({ folder: path.join(home, 'anode'), secret: null, onRejected: warn });
  return { root: kept, state: tenantStore(kept, `local/${hash}`, null) };
}
