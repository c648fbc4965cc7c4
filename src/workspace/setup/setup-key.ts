import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pathGlobs } from '../../permissions/patterns/path-globs.ts';
import type { SetupSettings } from './setup-settings.ts';
import { walkTree } from './walk-tree.ts';

/** More files that say what is installed are not looked at: then nothing is kept. */
const mostLockfiles = 2_000;

/** What a kept result is for, besides the files that say what is installed. */
export interface SetupSubject {
  readonly repository: string;
  /** Whose trees it was made from: results of one class are never taken for another's, but see `run-setup`. */
  readonly trust: string;
  /** PATH of the commands: other toolchains, other results. */
  readonly path: string;
}

/**
 * SHA-256 of the names and contents of the files that say what is installed; null where there are none, too
 * many, more folders than are looked at, or one is a link, so that nothing would tell when a kept result is out of date.
 */
export async function hashLockfiles(
  root: string,
  settings: Pick<SetupSettings, 'lockfiles' | 'cache'>,
): Promise<string | null> {
  if (settings.lockfiles.length === 0) return null;
  const isLockfile = pathGlobs(settings.lockfiles);
  const isProduced = folderMatcher(settings.cache);
  const hash = createHash('sha256');
  let found = 0;
  let cut = false;
  const onCut = () => {
    cut = true;
  };
  for await (const { path, kind } of walkTree(root, (folder) => !isProduced(folder), onCut)) {
    if (kind === 'folder' || !isLockfile(path)) continue;
    found += 1;
    if (found > mostLockfiles || kind !== 'file') return null;
    hash.update(`${path}\0${await hashFile(join(root, path))}\0`);
  }
  return cut || found === 0 ? null : hash.digest('hex');
}

/** Whether a path from the root is a folder that the set-up makes. */
export function folderMatcher(cache: readonly string[]): (path: string) => boolean {
  const inTree = cache.filter((one) => !one.startsWith('~/'));
  return pathGlobs(inTree);
}

/** The name under which a result is kept: anything it depends on that we know of makes another. */
export function setupKey(lockfiles: string, settings: SetupSettings, subject: SetupSubject): string {
  const { commands, registries, scripts, cache, environment } = settings;
  const machine = [process.platform, process.arch, process.versions.modules, process.version];
  const parts = [1, lockfiles, commands, registries, scripts, cache, environment, subject, machine];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
