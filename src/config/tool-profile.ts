import { ConfigError } from '../contract/errors.ts';
import { type ToolProfileName, toolProfileNames } from '../contract/profile-names.ts';
import { nearestKey } from './nearest-key.ts';
import type { Config } from './schema.ts';

const variable = 'ANODE_TOOL_PROFILE';

/**
 * The tool profile of a run: what the environment says, which is whoever started it, else the configuration, else `coding`.
 * Throws `ConfigError` for a name that is none.
 */
export function toolProfileOf(
  { tools }: Pick<Config, 'tools'>,
  environment: Readonly<Record<string, string | undefined>>,
): ToolProfileName {
  const given = environment[variable]?.trim();
  if (given === undefined || given === '') return tools?.profile ?? 'coding';
  const found = toolProfileNames.find((name) => name === given);
  if (found !== undefined) return found;
  const nearest = nearestKey(given, toolProfileNames);
  const cure = nearest === null ? `Known: ${toolProfileNames.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new ConfigError(`${variable} is "${given}", which is no tool profile. ${cure}`, { key: variable });
}
