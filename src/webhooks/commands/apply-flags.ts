import type { Config } from '../../config/schema.ts';
import {
  builtinProfileName,
  effortOf,
  ownResultProfiles,
  profileNames,
} from '../../contract/profile-names.ts';
import type { Flags } from './flags.ts';

/** The configuration with its flags applied, or why they cannot be, as a sentence. */
export type AppliedFlags =
  | {
      readonly kind: 'applied';
      readonly config: Config;
      readonly effort: number | null;
      /** The chosen model; null for none. */
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
  const refused = (reason: string): AppliedFlags => ({ kind: 'refused', reason });
  const { maxCostUsd, maxTurns = mostTurns } = config.limits ?? {};
  const { budget, turns, model, profile, effort } = flags;
  if (budget !== undefined && maxCostUsd !== undefined && budget > maxCostUsd)
    return refused(`A run may cost $${maxCostUsd} at most here (\`limits.maxCostUsd\`).`);
  if (turns !== undefined && turns > maxTurns)
    return refused(`A run may take ${maxTurns} turns at most here (\`limits.maxTurns\`).`);
  if (model !== undefined && model !== config.model && !config.models?.allow?.includes(model)) {
    const allowed = config.models?.allow ?? [];
    return refused(
      allowed.length === 0
        ? 'The configuration lets nobody choose a model here (`models.allow`).'
        : `That model may not be chosen here; these may (\`models.allow\`): ${allowed.map((one) => `\`${one}\``).join(', ')}.`,
    );
  }
  if (profile !== undefined && !profilesToChoose(config).includes(profile))
    return refused(
      `There is no profile \`${profile}\` to choose here; these are: ${profilesToChoose(config)
        .map((one) => `\`${one}\``)
        .join(', ')}.`,
    );
  return {
    kind: 'applied',
    effort: effort === undefined ? null : effortOf(effort),
    model: model ?? null,
    config: {
      ...config,
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
      limits: {
        ...config.limits,
        ...(budget === undefined ? {} : { maxCostUsd: budget }),
        ...(turns === undefined ? {} : { maxTurns: turns }),
      },
    },
  };
}

/** Lists the profiles that a request may choose: the built-in ones and those derived from them. */
function profilesToChoose({ profiles = {} }: Config): string[] {
  const own = Object.entries(profiles).filter(
    ([name, { extends: base }]) => !ownResultProfiles.includes(builtinProfileName(base ?? name) ?? 'craft'),
  );
  const builtin = Object.keys(profileNames).filter((name) => !ownResultProfiles.includes(name));
  return [...new Set([...builtin, ...own.map(([name]) => name)])];
}
