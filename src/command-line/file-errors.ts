import { ConfigError } from '../contract/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The error for a file that somebody named and that cannot be read, with the system's reason in words. */
export function unreadable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be read: ${reasonOf(cause)}.`, { file }, { cause });
}

/** The same for one that cannot be written. */
export function unwritable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be written: ${reasonOf(cause)}.`, { file }, { cause });
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (code || String(cause));
}
