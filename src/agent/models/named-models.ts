import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';

/**
 * The whole name, `provider/model`, of a model that a profile or a call names. Only models that the operator wrote down
 * somewhere may be used: the run's own (`chosen`), `model`, `models.allow`, `models.fallback` and those of profiles. A
 * stranger's text may have brought the call about, and any other model would be spent on the operator's key. The
 * provider may be left out where only one of them is meant. Throws `ConfigError` that lists them otherwise.
 */
export function findNamedModel(name: string, config: Config, chosen: string | null): string {
  const known = namedModels(config, chosen);
  const meant = known.includes(name)
    ? [name]
    : known.filter((one) => one.slice(one.indexOf('/') + 1) === name);
  if (meant.length === 1 && meant[0] !== undefined) return meant[0];
  const listed = known.length === 0 ? 'none is' : `these are: ${known.join(', ')}`;
  throw new ConfigError(
    meant.length > 1
      ? `Several providers have a model ${name}: say which, as ${meant.join(' or ')}.`
      : `The model ${name} is not one that this run may use; ${listed}. Others are added in models.allow, as provider/model.`,
    { key: 'models.allow' },
  );
}

/** Every model that the run may come to use, by its whole name. */
export function namedModels(config: Config, chosen: string | null): string[] {
  const { models, profiles } = config;
  const ofProfiles = Object.values(profiles ?? {}).map(({ model }) => model);
  const all = [chosen, config.model, ...(models?.allow ?? []), ...(models?.fallback ?? []), ...ofProfiles];
  return [...new Set(all.filter((name): name is string => typeof name === 'string'))];
}
