import { makeProfiles, type Profile, type Profiles } from '../../agent/profiles/profiles.ts';
import { withoutThread, withToolProfile } from '../../agent/profiles/tool-filters.ts';
import { toolProfileOf } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** Inputs for the profile of a run. */
export interface ProfileChoice {
  /** Name or alias. */
  readonly profile: string;
  readonly effort?: number | undefined;
  readonly config: Pick<Config, 'profile' | 'profiles' | 'tools'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The plan. Default: none, without a thread. */
  readonly plan?: Pick<RunPlan, 'chat'>;
}

/**
 * Returns the profile of a run within its tool profile, and those of its children. Throws
 * `ConfigError` for an unknown name, also for one in the configuration that this run does not use.
 */
export function chooseProfile(choice: ProfileChoice): {
  readonly profile: Profile;
  readonly profiles: Profiles;
} {
  const profiles = makeProfiles(choice.config.profiles);
  const named = profiles.find(choice.profile);
  if (choice.config.profile !== undefined) profiles.find(choice.config.profile);
  const within = withToolProfile(named, toolProfileOf(choice.config, choice.environment));
  const profile = { ...within, effort: choice.effort ?? named.effort };
  return { profile: choice.plan?.chat === undefined ? withoutThread(profile) : profile, profiles };
}

/**
 * Returns the model of a run; null for the configuration's. A comment's `model=` wins, then the
 * workflow's input, the profile's `model`, the configuration's `model`, and last the first provider
 * with a key. `model` holds the first two.
 */
export function modelFor(
  profile: Pick<Profile, 'model'>,
  { model }: { readonly model: string | null },
): string | null {
  return model ?? profile.model;
}
