import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '../contract/errors.ts';
import { isCredentialPath } from '../permissions/gate/credential-paths.ts';
import type { WatchedEntry } from '../permissions/tree/watch-name.ts';

/** Credentials in git settings: a header, a helper, an address with a password. */
const credential = /extraheader|^\s*\[\s*credential|:\/\/[^/\s@]*@/im;
const mostBytes = 64 * 1024;

const isGitPath = /(?:^|\/)\.git\//i;

/** Each file and each folder above it is a mount in every sandbox. */
const mostFiles = 200;

/** Files of the workspace that a sandbox shows empty. All paths are absolute. */
interface Masks {
  readonly files: readonly string[];
  /**
   * The folders above them, outer ones first. Each is mounted on itself, since mount points can be
   * neither renamed nor removed (rename(2), EBUSY). No program can then swap the target of a later
   * mount.
   */
  readonly pins: readonly string[];
}

/**
 * Selects the watched entries that hold credentials: git settings containing one, and files that
 * hold them by name. Throws `ToolError` (`unavailable`) if one cannot be hidden, so that no command
 * starts.
 */
export function masksFor(root: string, entries: readonly WatchedEntry[]): Masks {
  const files = entries.flatMap(({ path, name, kind, concern }) => {
    if (kind !== 'file') return [];
    const isRefused = isCredentialPath(path) !== null;
    if (concern !== 'credential' && !isRefused) return [];
    const file = join(root, path);
    // Git settings may hold no credential; other credential files always do.
    const isGits = /^config(\.worktree)?$/i.test(name) && (!isRefused || isGitPath.test(path));
    const content = inspect(root, path, isGits);
    if (content === 'nothing') return [];
    if (content === 'elsewhere') throw notHidden(path, 'it has another name elsewhere (a hard link)');
    if (!/^[\x20-\x7e]*$/.test(path)) throw notHidden(path, 'its path has other characters than ASCII');
    return [file];
  });
  if (files.length > mostFiles)
    throw new ToolError(
      'unavailable',
      `No command can start: more than ${mostFiles} files of the workspace hold credentials. ${advice}`,
    );
  return { files, pins: foldersAbove(root, files) };
}

/** Returns the folders above paths, below the root, each once, outer ones first. */
export function foldersAbove(root: string, paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder.startsWith(`${root}/`); folder = dirname(folder))
      above.add(folder);
  return [...above].sort((one, other) => one.length - other.length);
}

const advice = 'Work without commands, and tell a person to take them out of the checkout.';

function notHidden(path: string, reason: string): ToolError {
  const problem = `\`${path}\` holds credentials, and cannot be hidden from commands, as ${reason}`;
  return new ToolError('unavailable', `No command can start: ${problem}. ${advice}`);
}

/** Opens a file through its folders, so that no link leads elsewhere. */
function inspect(root: string, path: string, isConfig: boolean): 'nothing' | 'credential' | 'elsewhere' {
  const parts = Buffer.from(path, 'latin1').toString('latin1').split('/');
  const name = parts.pop() ?? '';
  const open: number[] = [];
  const step = (part: string, flags: number) => {
    const above = open.at(-1);
    const base = above === undefined ? `${root}/` : `/proc/self/fd/${above}/`;
    open.push(
      openSync(Buffer.concat([Buffer.from(base), Buffer.from(part, 'latin1')]), flags | constants.O_NOFOLLOW),
    );
  };
  try {
    for (const part of parts) step(part, constants.O_RDONLY | constants.O_DIRECTORY);
    step(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const file = open.at(-1) ?? -1;
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size === 0) return 'nothing';
    const bytes = Buffer.alloc(Math.min(mostBytes, stats.size));
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
    if (isConfig && stats.size <= mostBytes && !credential.test(text)) return 'nothing';
    return stats.nlink > 1 ? 'elsewhere' : 'credential';
  } catch {
    // Missing or unreadable: then commands cannot read it either.
    return 'nothing';
  } finally {
    for (const one of open) closeSync(one);
  }
}
