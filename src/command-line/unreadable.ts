import { ConfigError } from '../contract/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

/** The error for a file that somebody named and that cannot be read, with the system's reason in words. */
export function unreadable(file: string, cause: unknown): ConfigError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = reasons[code] ?? (code || String(cause));
  return new ConfigError(`${file} cannot be read: ${reason}.`, { file }, { cause });
}
