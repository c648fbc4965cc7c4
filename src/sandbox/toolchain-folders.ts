import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isClosed, keepsCredentials } from './credential-folders.ts';

/** Folders the sandbox has anyway, or never shows as a whole. */
const given = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
const never = [
  '/',
  '/home',
  '/root',
  '/tmp',
  '/run',
  '/var',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/mnt',
  '/srv',
];

/** Within these, programs lie beside credentials: only the parts named are shown. */
const mixed: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['bin', 'registry', 'git'],
  '.local': ['bin', 'lib', 'pipx', 'share/pnpm', 'share/mise', 'share/uv'],
};

/**
 * The folders that a sandbox must show, read-only, so that the programs on `path` (as PATH) work: each
 * folder itself and, where it is the `bin` of a toolchain (`/opt/go/bin`), that toolchain. A home folder is
 * never shown, nor any folder that holds one, nor one that keeps credentials: of `~/.docker/bin` the programs are. `also` adds single programs, such as the running node; no folder
 * that is or holds one of `hidden` is shown, though a `bin` beside it is.
 */
export function toolchainFolders(
  path: string,
  also: readonly string[] = [],
  hidden: readonly string[] = [],
): string[] {
  const found = new Set<string>();
  const folders = [...path.split(':'), ...also.map((program) => dirname(program))];
  for (const folder of folders) {
    if (!folder.startsWith('/') || !existsSync(folder)) continue;
    for (const place of new Set([folder, realpathSync(folder)]))
      for (const shown of shownFor(place, hidden)) if (existsSync(shown)) found.add(shown);
  }
  const sorted = [...found].sort();
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && isInside(folder, other)));
}

function shownFor(folder: string, hidden: readonly string[]): string[] {
  const hides = (place: string) => hidden.some((one) => one === place || isInside(one, place));
  if (
    never.includes(folder) ||
    isHome(folder) ||
    hides(folder) ||
    given.some((one) => folder === one || isInside(folder, one)) ||
    isClosed(folder) ||
    keepsCredentials(folder)
  )
    return [];
  const parent = dirname(folder);
  const special = mixed[basename(parent)];
  if (special !== undefined) return special.map((part) => join(parent, part));
  const isToolchain =
    basename(folder) === 'bin' &&
    !never.includes(parent) &&
    !isHome(parent) &&
    !hides(parent) &&
    !keepsCredentials(parent);
  return [isToolchain ? parent : folder];
}

function isHome(folder: string): boolean {
  return /^\/(home|Users)\/[^/]+$/.test(folder) || folder === '/root';
}

/** Whether a user can reach a folder, by the permissions of the folder and of all above it (path_resolution(7)). */
export function isReachable(folder: string, user: { readonly uid?: number; readonly gid?: number }): boolean {
  if (user.uid === undefined) return true;
  for (let place = folder; ; place = dirname(place)) {
    const { mode, uid, gid } = statSync(place);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (place === '/') return true;
  }
}

/** True when `folder` lies below `other`. */
export function isInside(folder: string, other: string): boolean {
  return folder.startsWith(other.endsWith(sep) ? other : other + sep);
}
