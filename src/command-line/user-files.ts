import { readFile } from 'node:fs/promises';
import { ConfigError, systemReason } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';

/** Returns the error for an unreadable file of the user, with the system's reason. */
export function unreadable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be read: ${systemReason(cause)}.`, { file }, { cause });
}

/** Returns the same for a file that cannot be written. */
export function unwritable(file: string, cause: unknown): ConfigError {
  return new ConfigError(`${file} cannot be written: ${systemReason(cause)}.`, { file }, { cause });
}

/**
 * Reads an event payload from a file, as GitHub sends it; throws `ConfigError` with the file name.
 */
export async function readPayload(file: string): Promise<JsonObject> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw unreadable(file, cause);
    throw new ConfigError(`${file} is not JSON: ${cause.message}.`, { file }, { cause });
  }
  throw new ConfigError(`${file} is not a JSON object: it takes the payload as GitHub sends it.`, { file });
}
