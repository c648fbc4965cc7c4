import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { nearestKey } from '../config/nearest-key.ts';
import { knownKeys } from '../config/parse-config.ts';
import { readDocument } from '../config/read-document.ts';
import { ConfigError } from '../contract/errors.ts';

/**
 * Parses YAML or JSON. Throws `ConfigError` with file, line and key of the first fault. `file` is
 * the name of the text for people.
 */
export function parseTaskFile<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): z.infer<Schema> {
  const document = readDocument(text, file);
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  // A misspelt key is also a missing one.
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const keys = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const { line, column } = document.locate(keys, unknown === undefined ? 'value' : 'key');
  const key = keys.map(String).join('.');
  const near = unknown === undefined ? null : nearestKey(unknown, knownKeys(schema, issue?.path ?? []));
  const problem = unknown === undefined ? `${key}: ${issue?.message ?? 'not valid'}` : `unknown key ${key}`;
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  throw new ConfigError(
    `${file}:${line}:${column}: ${problem}.${hint}`,
    { file, key },
    {
      cause: parsed.error,
    },
  );
}

/** Reads a text file; resolves to null without it. Throws `ConfigError` if it cannot be read. */
export async function fileText(folder: string, name: string): Promise<string | null> {
  const file = path.join(folder, name);
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return null;
    throw new ConfigError(`${file} cannot be read: ${cause.message}.`, { file }, { cause });
  });
}
