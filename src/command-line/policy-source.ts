import { readFile } from 'node:fs/promises';
import { presetOf } from '../config/defaults.ts';
import { operatorConfig } from '../config/merge-config.ts';
import { parsePolicy } from '../config/parse-config.ts';
import type { Config } from '../config/schema.ts';
import type { Preset } from '../contract/levels.ts';
import { presetFrom } from '../contract/levels.ts';
import { warningsOf } from '../run/policy/configuration-warnings.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { knownPreset } from './parse-arguments.ts';
import { unreadable } from './user-files.ts';

/** Options that select the policy. */
export const policyOptions = {
  policy: { type: 'string' },
  preset: { type: 'string' },
  output: { type: 'string' },
} as const;

/** Reads the policy of the named file, or of the user's own configuration. */
export async function readPolicy(file: string | undefined, context: CommandContext): Promise<Config> {
  if (file === undefined) return localConfig(undefined, context.environment);
  return operatorConfig(parsePolicy(await readText(file), file), file);
}

/** Reads a text file; throws `ConfigError` if it is unreadable. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Returns the named preset, else the policy's. Throws `ConfigError` for an unknown one. */
export function presetFor(named: string | boolean | undefined, config: Config): Preset {
  return typeof named === 'string' ? presetFrom(knownPreset('policy', named)) : presetOf(config);
}

/** Reports parts of a policy that can never match. */
export function warnOf(config: Config, context: CommandContext): void {
  for (const message of warningsOf(config, context.environment)) context.writeError(`! ${message}\n`);
}
