import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  isSharedKey,
  readTenant,
  type StateRoot,
  sharedKeys,
  tenantOfKey,
} from '../../contract/state-store.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { setupFolder, tenantFolders } from './remove-state.ts';

/** Form of keys since Anode CI 1.0, by tenant; earlier keys were `owner/name`. */
const form = 'tenant';

/**
 * Deletes state stored under repository names, once, and returns the number of entries. A name may
 * belong to a stranger by now. Null if this version created all state.
 */
export async function dropUnowned(state: StateRoot, dataFolder: string | null): Promise<number | null> {
  if ((await state.get(sharedKeys.form())) === form) return null;
  const unowned = (await state.list('')).filter((key) => tenantOfKey(key) === null && !isSharedKey(key));
  for (const key of unowned) await state.delete(key);
  if (dataFolder !== null) await dropFolders(dataFolder);
  await state.set(sharedKeys.form(), form);
  return unowned.length;
}

async function dropFolders(dataFolder: string): Promise<void> {
  for (const kind of tenantFolders) {
    const names = await readdir(path.join(dataFolder, kind)).catch(() => []);
    for (const name of names)
      if (readTenant(name) === null) await removeTree(path.join(dataFolder, kind, name));
  }
  await removeTree(path.join(dataFolder, setupFolder));
}
