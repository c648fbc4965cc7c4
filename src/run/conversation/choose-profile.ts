import { makeProfiles, type Profile, type Profiles } from '../../agent/profiles/profiles.ts';
import { withoutThread, withToolProfile } from '../../agent/profiles/tool-filters.ts';
import { toolProfileOf } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** What decides on the profile of a run. */
export interface ProfileChoice {
  /** By name or alias. */
  readonly profile: string;
  readonly effort?: number | undefined;
  readonly config: Pick<Config, 'profiles' | 'tools'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Left out or null, the run belongs to no thread. */
  readonly plan?: Pick<RunPlan, 'chat'> | null;
}

/** The profile of a run within its tool profile, and those its children may have. Throws `ConfigError` for a name that is none. */
export function chooseProfile(choice: ProfileChoice): {
  readonly profile: Profile;
  readonly profiles: Profiles;
} {
  const profiles = makeProfiles(choice.config.profiles);
  const named = profiles.find(choice.profile);
  const within = withToolProfile(named, toolProfileOf(choice.config, choice.environment));
  const profile = { ...within, effort: choice.effort ?? named.effort };
  return { profile: choice.plan?.chat === undefined ? withoutThread(profile) : profile, profiles };
}

/** The model a run is to have: one that was chosen for it, else that of its profile; null for that of the configuration. */
export function modelFor(
  profile: Pick<Profile, 'model'>,
  { model }: { readonly model: string | null },
): string | null {
  return model ?? profile.model;
}
