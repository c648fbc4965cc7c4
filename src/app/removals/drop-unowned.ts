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

/** Keys that name a tenant, since Anode CI 1.0; before, they named `owner/name`. */
const form = 'tenant';

/**
 * Drops, once, what was kept under names of repositories; how many entries. Nobody can tell any more who had a name then: it may be
 * a stranger's by now. Null where nothing was looked for, since all was made by this version.
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
