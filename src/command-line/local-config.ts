import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mergeConfig, operatorConfig } from '../config/merge-config.ts';
import type { Config } from '../config/schema.ts';
import { unreadable } from './user-files.ts';

/**
 * Returns the configuration of a local run: the named file over the user's own. The checkout's file
 * is not read: a cloned repository must not control runs on this machine.
 */
export async function localConfig(
  named: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Config> {
  const own = path.join(userFolder(environment), 'config.json');
  const [strong, weak] = await Promise.all([
    named === undefined ? {} : readConfig(named, true),
    readConfig(own, false),
  ]);
  return mergeConfig(strong, weak);
}

/** Returns the folder of the user's own skills; it need not exist. */
export function userSkillsFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return path.join(userFolder(environment), 'skills');
}

function userFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const home = environment.XDG_CONFIG_HOME ?? path.join(environment.HOME ?? os.homedir(), '.config');
  return path.join(home, 'anode');
}

async function readConfig(file: string, required: boolean): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (!required && (code === 'ENOENT' || code === 'ENOTDIR')) return {};
    throw unreadable(file, cause);
  }
  // Loaded on demand: parser and schema are a fifth of a start, and most runs have no file.
  const { parseConfig } = await import('../config/parse-config.ts');
  return operatorConfig(parseConfig(text, file), file);
}
