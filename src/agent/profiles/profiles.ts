import { nearestKey } from '../../config/nearest-key.ts';
import type { ProfileSettings } from '../../config/profile-settings.ts';
import { ConfigError } from '../../contract/errors.ts';
import {
  type BuiltinProfileName,
  builtinProfileName,
  effortOf,
  profileNames,
} from '../../contract/profile-names.ts';
import type { SkillVisibility } from '../../tools/services/skill-entry.ts';
import { builtinProfileData } from './builtin-profiles.ts';

/** Canonical tool names or globs of them. `deny` takes precedence over any `allow`. */
export interface ToolFilter {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Error for a model that calls a denied tool. Default: the run has no such tool. */
  readonly why?: string;
}

/** A kind of run: its tools, limits and effort, and who may start it. */
export interface Profile extends ToolFilter {
  readonly name: string;
  /** The built-in profile it is made from, whose prompt it has. */
  readonly base: BuiltinProfileName;
  readonly description: string;
  /** Text added to the prompt of `base`. Null for nothing. */
  readonly instructions: string | null;
  /**
   * Further filters, each of which a tool has to pass: a tool profile, what a parent allows its
   * child.
   */
  readonly within: readonly ToolFilter[];
  /** Visible skills, of those that all runs see. Default: all. */
  readonly skills?: SkillVisibility | undefined;
  /** Amount of a tool's schema that the model gets. */
  readonly schemas: 'whole' | 'short';
  readonly readOnly: boolean;
  /** `provider/name`; null for the run's model. */
  readonly model: string | null;
  /** Also called rounds. */
  readonly maxTurns: number;
  /** A child of this profile may be given more turns than those, but no more than these. */
  readonly mostTurns: number;
  /** Effort of the model, as its index in `effortNames`. */
  readonly effort: number;
  /** At this many calls a run ends; null for no such limit. */
  readonly maxCallsPerRun: number | null;
  /** By name or glob: a call beyond it is an error for the model. */
  readonly maxCallsPerTool: Readonly<Record<string, number>>;
  /** True if agents may name it. */
  readonly callable: boolean;
  readonly allowAsSubagent: boolean;
  /** Names or globs of the profiles whose runs may start it. */
  readonly allowedCallers: readonly string[];
  /** Children that a run of it may start in all, and at once. */
  readonly maxDelegations: number;
  readonly maxConcurrentDelegations: number;
}

/** The built-in profiles by name. */
export const builtinProfiles: ReadonlyMap<string, Profile> = new Map(
  Object.entries(builtinProfileData).map(([name, profile]) => [
    name,
    { name, base: name as BuiltinProfileName, ...profile },
  ]),
);

/**
 * The profiles of one run: the built-in ones, with those of the configuration over and beside them.
 */
export interface Profiles {
  /**
   * The profile of that name or alias; a `ConfigError` names the nearest or the known ones
   * otherwise.
   */
  find(name: string): Profile;
  /** All of them, the built-in ones first. */
  readonly all: readonly Profile[];
}

/**
 * Merges the profiles of a configuration into the built-in ones, by name. A read-only profile stays
 * read-only, whatever is derived from it.
 */
export function makeProfiles(settings: Readonly<Record<string, ProfileSettings>> = {}): Profiles {
  const byName = new Map(builtinProfiles);
  for (const [name, one] of Object.entries(settings)) byName.set(name, customProfile(name, one));
  const all = [...byName.values()];
  return {
    all,
    find(name) {
      const profile = byName.get(name) ?? byName.get(builtinProfileName(name) ?? '');
      if (profile !== undefined) return profile;
      const known = [...byName.keys()];
      const nearest = nearestKey(name, [...known, ...Object.values(profileNames).flat()]);
      const remedy = nearest === null ? `Known profiles: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
      throw new ConfigError(`There is no profile "${name}". ${remedy}`, { key: 'profile' });
    },
  };
}

/** True if a run of the profile of that name only reads; false where there is no such profile. */
export function onlyReadsBy(profiles: Profiles, name: string): boolean {
  const base = builtinProfileName(name);
  return profiles.all.find((one) => one.name === name || one.name === base)?.readOnly === true;
}

/** The built-in profile of that name or alias, as `Profiles.find` finds it. */
export function findProfile(name: string): Profile {
  return makeProfiles().find(name);
}

function customProfile(name: string, settings: ProfileSettings): Profile {
  const base = builtinProfileName(settings.extends ?? name) ?? 'craft';
  const { extends: _, maxRounds, effort, readOnly, ...rest } = settings;
  const below = findProfile(base);
  const own = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...below,
    ...{ instructions: null, model: null, maxCallsPerRun: null, maxCallsPerTool: {} },
    ...own,
    name,
    base,
    // A profile that takes the name of a read-only one stays read-only.
    readOnly: below.readOnly || builtinProfiles.get(name)?.readOnly === true || readOnly === true,
    maxTurns: maxRounds ?? below.maxTurns,
    mostTurns: maxRounds ?? below.mostTurns,
    effort: effort === undefined ? below.effort : effortOf(effort),
  };
}
