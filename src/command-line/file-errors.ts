import { ConfigError, systemReason } from '../contract/errors.ts';

/** Returns the error for an unreadable file of the user, with the system's reason in words. */
export function unreadable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be read: ${systemReason(cause)}.`, { file }, { cause });
}

/** Returns the same for a file that cannot be written. */
export function unwritable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be written: ${systemReason(cause)}.`, { file }, { cause });
}
