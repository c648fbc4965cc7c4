import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import { declaresPackage, findServer, type ServerLocations } from './find-servers.ts';
import { type LanguageServerEntry, languageIdOf } from './server-entry.ts';

/** Maximum folders searched, upper ones first. */
const mostFolders = 400;
const skipped = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', '__pycache__', 'venv']);

/**
 * Finds the installed servers for the languages of the checkout, with a sample file of each near
 * the root. Starts nothing and reads only names. Before a set-up, dependencies of `package.json`
 * count as installed.
 */
export async function findLanguages(
  entries: readonly LanguageServerEntry[],
  locations: ServerLocations & {
    readonly files: Pick<ConfinedFiles, 'stat' | 'read' | 'list'>;
    readonly setUp: boolean;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly samples: readonly string[]; readonly names: readonly string[] }> {
  const installed: LanguageServerEntry[] = [];
  const manifest = locations.setUp && locations.checkout ? await manifestOf(locations.files) : '';
  for (const entry of entries)
    if (declaresPackage(manifest, entry) || (await findServer(entry, '', locations)) !== null)
      installed.push(entry);
  const wanted = new Set(installed);
  const samples: string[] = [];
  for await (const path of wanted.size === 0 ? [] : filesFromTop(locations)) {
    const reads = [...wanted].filter((entry) => languageIdOf(path, entry) !== null);
    for (const entry of reads) wanted.delete(entry);
    if (reads.length > 0) samples.push(path);
    if (wanted.size === 0) break;
  }
  return { samples, names: installed.filter((entry) => !wanted.has(entry)).map(({ name }) => name) };
}

/** Paths of files, those of upper folders first, as far as the bound on folders. */
async function* filesFromTop(locations: {
  readonly files: Pick<ConfinedFiles, 'list'>;
  readonly signal: AbortSignal;
}): AsyncGenerator<string> {
  const folders = [''];
  for (let visited = 0; visited < mostFolders; visited += 1) {
    const folder = folders.shift();
    if (folder === undefined) return;
    locations.signal.throwIfAborted();
    for (const { name, kind } of await listed(folder, locations.files)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory' && !name.startsWith('.') && !skipped.has(name)) folders.push(path);
      if (kind === 'file') yield path;
    }
  }
}

async function manifestOf(files: Pick<ConfinedFiles, 'read'>): Promise<string> {
  const file = await unlessToolError(() => files.read('package.json', 256 * 1024));
  return file?.bytes.toString('utf8') ?? '';
}

/** Lists a folder; empty if it is gone by now, or unreadable. */
async function listed(folder: string, files: Pick<ConfinedFiles, 'list'>) {
  return (await unlessToolError(() => files.list(folder === '' ? '.' : folder))) ?? [];
}
