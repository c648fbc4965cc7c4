import type { Config } from './schema.ts';

/**
 * One configuration from several, the first being the strongest (base branch, organisation, user). Objects are
 * merged key by key; a list or a single value of a stronger one replaces the weaker whole, so that a reader of
 * the stronger file sees all that holds. Hooks add up, those of the weaker first: a repository must not be able to drop
 * what its organisation or the operator holds it to.
 */
export function mergeConfig(...strongestFirst: readonly Config[]): Config {
  return strongestFirst.reduceRight<Config>((weaker, stronger) => {
    const hooks = joinHooks(weaker.hooks, stronger.hooks);
    return { ...mergeObjects(weaker, stronger), ...(hooks === undefined ? {} : { hooks }) };
  }, {});
}

function joinHooks(weaker: Config['hooks'], stronger: Config['hooks']): Config['hooks'] {
  if (weaker === undefined || stronger === undefined) return weaker ?? stronger;
  return {
    before: [...(weaker.before ?? []), ...(stronger.before ?? [])],
    after: [...(weaker.after ?? []), ...(stronger.after ?? [])],
  };
}

function mergeObjects<T extends object>(weaker: T, stronger: T): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(weaker));
  for (const [key, value] of Object.entries(stronger)) {
    const below = merged[key];
    if (value === undefined) continue;
    merged[key] = isObject(value) && isObject(below) ? mergeObjects(below, value) : value;
  }
  return merged as T;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
