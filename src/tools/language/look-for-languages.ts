import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles } from '../../workspace/confined-files.ts';
import { findServer, type ServerPlaces } from './find-servers.ts';
import { type LanguageServerEntry, languageOf } from './server-table.ts';

/** So many folders are looked into, the upper ones first, for a file of each language. */
const mostFolders = 400;
const skipped = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', '__pycache__', 'venv']);

/**
 * Which servers are there for what the checkout holds: for each a file it reads, found near the root. Starts nothing and reads only
 * names. With `setUp` a server that an npm package brings counts as there, as the set-up may install it.
 */
export async function lookForLanguages(
  entries: readonly LanguageServerEntry[],
  places: ServerPlaces & {
    readonly files: Pick<ConfinedFiles, 'stat' | 'read' | 'list'>;
    readonly setUp: boolean;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly samples: readonly string[] }> {
  const there: LanguageServerEntry[] = [];
  for (const entry of entries) {
    const comes = places.setUp && places.checkout && entry.inCheckout !== undefined;
    if (comes || (await findServer(entry, '', places)) !== null) there.push(entry);
  }
  const wanted = new Set(there);
  const samples: string[] = [];
  const folders = [''];
  for (let looked = 0; looked < mostFolders && wanted.size > 0; looked += 1) {
    const folder = folders.shift();
    if (folder === undefined) break;
    places.signal.throwIfAborted();
    for (const { name, kind } of await listed(folder, places.files)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory' && !name.startsWith('.') && !skipped.has(name)) folders.push(path);
      if (kind !== 'file') continue;
      const reads = [...wanted].filter((entry) => languageOf(path, entry) !== null);
      for (const entry of reads) wanted.delete(entry);
      if (reads.length > 0) samples.push(path);
    }
  }
  return { samples };
}

async function listed(folder: string, files: Pick<ConfinedFiles, 'list'>) {
  try {
    return await files.list(folder === '' ? '.' : folder);
  } catch (error) {
    // Gone meanwhile, or not to be read.
    if (error instanceof ToolError) return [];
    throw error;
  }
}
