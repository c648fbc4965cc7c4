import { ConfigError } from '../contract/errors.ts';
import { systemReason } from '../contract/system-reason.ts';

/** The error for a file that somebody named and that cannot be read, with the system's reason in words. */
export function unreadable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be read: ${systemReason(cause)}.`, { file }, { cause });
}

/** The same for one that cannot be written. */
export function unwritable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be written: ${systemReason(cause)}.`, { file }, { cause });
}
