import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pathGlobs } from '../../permissions/patterns/path-globs.ts';
import type { SetupSettings } from './setup-settings.ts';
import { walkTree } from './walk-tree.ts';

/** With more lock files, no result is stored. */
const mostLockfiles = 2_000;

/** Scope of a stored result, besides the lock files. */
interface SetupSubject {
  readonly repository: string;
  /**
   * Trust class of the source tree. Results of one class are not reused for another; see
   * `run-setup`.
   */
  readonly trust: string;
  /** PATH of the commands: other toolchains give other results. */
  readonly path: string;
}

/**
 * Returns the SHA-256 of names and contents of the lock files. Null if an outdated result could not
 * be recognised: no lock file, too many, too many folders, or a link.
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

/** Returns a matcher for folders, by path from the root, that the set-up creates. */
export function folderMatcher(cache: readonly string[]): (path: string) => boolean {
  const inTree = cache.filter((one) => !one.startsWith('~/'));
  return pathGlobs(inTree);
}

/** Returns the key of a result: it changes with every known dependency. */
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
