import type { Config } from './schema.ts';

/**
 * Returns the keys of limits that a workflow input set, such as `limits.maxCostUsd`; undefined for
 * none. `config` is the effective configuration: a stricter value of a file or flag is not the
 * input's. Pure.
 */
export function limitsByInput({ limits = {} }: Config, config: Config): string[] | undefined {
  const effective = new Map(Object.entries(config.limits ?? {}));
  const own = Object.entries(limits).filter(([, value]) => value !== undefined);
  const keys = own.flatMap(([name, value]) => (effective.get(name) === value ? [`limits.${name}`] : []));
  return keys.length === 0 ? undefined : keys;
}
