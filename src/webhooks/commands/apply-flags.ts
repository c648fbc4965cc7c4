import type { Config } from '../../config/schema.ts';
import { omitUndefined } from '../../contract/json.ts';
import {
  builtinProfileName,
  effortOf,
  ownResultProfiles,
  profileNames,
} from '../../contract/profile-names.ts';
import type { Flags } from './flags.ts';

/** The configuration with its flags applied, or why they cannot be, as a sentence. */
type AppliedFlags =
  | {
      readonly kind: 'applied';
      readonly config: Config;
      readonly effort: number | null;
      /** The chosen model; null for none. Not in `config`: it outranks a profile's model, too. */
      readonly model: string | null;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Maximum number of turns that a comment may request if the configuration sets no limit. */
const mostTurns = 100;

/**
 * Applies the flags of a comment to the configuration: a budget and turns up to its limits, and a
 * model that it allows. Permissions are not among the flags. Pure.
 */
export function applyFlags(flags: Flags, config: Config): AppliedFlags {
  const { budget, turns, model, profile, effort } = flags;
  const reason = refuseLimits(flags, config) ?? refuseNames(flags, config);
  if (reason !== null) return { kind: 'refused', reason };
  return {
    kind: 'applied',
    effort: effort === undefined ? null : effortOf(effort),
    model: model ?? null,
    config: {
      ...config,
      ...omitUndefined({ profile }),
      limits: { ...config.limits, ...omitUndefined({ maxCostUsd: budget, maxTurns: turns }) },
    },
  };
}

/** Returns why the budget or the number of turns is refused; null if both are allowed. */
function refuseLimits({ budget, turns }: Flags, { limits = {} }: Config): string | null {
  const { maxCostUsd, maxTurns = mostTurns } = limits;
  if (budget !== undefined && maxCostUsd !== undefined && budget > maxCostUsd)
    return `A run may cost $${maxCostUsd} at most here (\`limits.maxCostUsd\`).`;
  if (turns !== undefined && turns > maxTurns)
    return `A run may take ${maxTurns} turns at most here (\`limits.maxTurns\`).`;
  return null;
}

/** Returns why the model or the profile is refused; null if both are allowed. */
function refuseNames({ model, profile }: Flags, config: Config): string | null {
  const models = config.models?.allow ?? [];
  if (model !== undefined && model !== config.model && !models.includes(model))
    return models.length === 0
      ? 'The configuration does not allow choosing a model here (`models.allow`).'
      : `That model is not allowed here. Allowed models (\`models.allow\`): ${codeList(models)}.`;
  const profiles = profilesToChoose(config);
  return profile === undefined || profiles.includes(profile)
    ? null
    : `Profile \`${profile}\` is not available here. Available profiles: ${codeList(profiles)}.`;
}

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Lists the profiles that a request may choose: the built-in ones and those derived from them. */
function profilesToChoose({ profiles = {} }: Config): string[] {
  const own = Object.entries(profiles).filter(
    ([name, { extends: base }]) => !ownResultProfiles.includes(builtinProfileName(base ?? name) ?? 'craft'),
  );
  const builtin = Object.keys(profileNames).filter((name) => !ownResultProfiles.includes(name));
  return [...new Set([...builtin, ...own.map(([name]) => name)])];
}
