import { findProfile } from '../agent/profiles/profiles.ts';
import { makeToolSet, type ToolSet } from '../agent/profiles/tool-set.ts';
import { chooseProfile } from '../compose/choose-profile.ts';
import type { Config } from '../config/schema.ts';
import { builtinTools } from '../tools/builtin-tools.ts';

/** The built-in tools, less what config disables. */
export function everyTool(disabled: readonly string[]): ToolSet {
  const allow = builtinTools.map(({ name }) => name);
  return makeToolSet(builtinTools, { ...findProfile('craft'), allow }, disabled);
}

/** The tools of a run by one profile, as it would have them with this configuration and environment. */
export function toolsOfProfile(
  profile: string,
  config: Pick<Config, 'profiles' | 'tools'>,
  environment: Readonly<Record<string, string | undefined>>,
): ToolSet {
  const chosen = chooseProfile({ profile, config, environment });
  return makeToolSet(builtinTools, chosen.profile, config.tools?.disabled ?? []);
}
