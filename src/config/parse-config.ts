import { LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { ConfigError } from '../contract/errors.ts';
import { knownKeys } from './known-keys.ts';
import { nearestKey } from './nearest-key.ts';
import { Config } from './schema.ts';

/**
 * One configuration file, YAML or JSON (which is YAML), checked against the schema. Throws `ConfigError` with
 * the file, the line of a syntax error, and the key of anything else; an unknown key is told the nearest known.
 * An empty file is an empty configuration. `file` is the name an operator knows it by.
 */
export function parseConfig(text: string, file: string): Config {
  const parsed = Config.safeParse(readYaml(text, file) ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined)
    throw new ConfigError(`${file}: not a configuration.`, { file }, { cause: parsed.error });
  throw describe(issue, file);
}

function readYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  // Aliases could blow a small file up into a huge one; a configuration has no use for them.
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what = error.message.split(/ at line \d+|\n/, 1)[0];
    throw new ConfigError(`${file}:${line}:${col}: ${what}.`, { file }, { cause: error });
  }
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new ConfigError(
      `${file}: aliases (*name) are not supported; write the value out.`,
      { file },
      { cause },
    );
  }
}

function describe(issue: z.core.$ZodIssue, file: string): ConfigError {
  const place = (path: readonly PropertyKey[]): string => path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys[0] ?? '';
    const known = knownKeys(Config, issue.path);
    const nearest = nearestKey(unknown, known);
    const key = place([...issue.path, unknown]);
    const cure =
      nearest === null
        ? `Known here: ${known.join(', ')}`
        : `Did you mean ${place([...issue.path, nearest])}?`;
    return new ConfigError(`${file}: unknown key ${key}. ${cure}`, { file, key });
  }
  const key = place(issue.path);
  if (key === '') return new ConfigError(`${file}: ${issue.message}.`, { file });
  return new ConfigError(`${file}: ${key}: ${issue.message}.`, { file, key });
}
