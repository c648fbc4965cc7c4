import path from 'node:path';
import { omitUndefined } from '../contract/json.ts';
import { configFiles } from './defaults.ts';
import type { Config } from './schema.ts';

/**
 * Merges configurations, strongest first (base branch, organisation, user). Objects are merged key
 * by key. A list or a single value replaces the weaker one whole. Named programs and addresses are
 * also replaced whole, so a repository cannot use the operator's headers with its own address.
 * Hooks add up, weaker first: a repository cannot drop those of its organisation or operator.
 */
export function mergeConfig(...strongestFirst: readonly Config[]): Config {
  return strongestFirst.reduceRight<Config>((weaker, stronger) => {
    const hooks = joinHooks(weaker.hooks, stronger.hooks);
    return omitUndefined({ ...mergeObjects(weaker, stronger), hooks });
  }, {});
}

/** Returns a configuration with one value, by the path of its key; the value is not checked. */
export const configAt = (path: readonly string[], value: unknown): Config =>
  path.reduceRight<unknown>((below, key) => ({ [key]: below }), value) as Config;

function joinHooks(weaker: Config['hooks'], stronger: Config['hooks']): Config['hooks'] {
  if (weaker === undefined || stronger === undefined) return weaker ?? stronger;
  return {
    before: [...(weaker.before ?? []), ...(stronger.before ?? [])],
    after: [...(weaker.after ?? []), ...(stronger.after ?? [])],
  };
}

/** Keys whose names refer to programs and addresses. */
const whole = new Set(['plugins', 'a2a.agents', 'mcp.servers', 'lsp.servers']);

function mergeObjects<T extends object>(weaker: T, stronger: T, path = ''): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(weaker));
  for (const [key, value] of Object.entries(stronger)) {
    const below = merged[key];
    if (value === undefined) continue;
    const inside = path === '' ? key : `${path}.${key}`;
    merged[key] =
      isObject(value) && isObject(below) && !whole.has(path) ? mergeObjects(below, value, inside) : value;
  }
  return merged as T;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Marks a configuration of this machine's operator. Relative paths of its programs start at the
 * file's own folder. For a file at a repository's usual path (`.github/anode.yml`) they start at
 * the root, as on GitHub.
 */
export function operatorConfig(config: Config, file: string): Config {
  const { permissions, hooks, plugins, a2a, mcp } = config;
  const folder = folderOf(path.resolve(file));
  const placed = <Item>(item: Item) => ({ ...item, folder });
  const servers = mcp?.servers && eachOf(mcp.servers, placed);
  const agents = a2a?.agents && eachOf(a2a.agents, (agent) => ({ ...agent, by: 'operator' as const }));
  const rules = permissions?.rules?.map((rule) => (rule.to === undefined ? rule : placed(rule)));
  return omitUndefined({
    ...config,
    plugins: plugins && eachOf(plugins, placed),
    mcp: servers ? { ...mcp, servers } : mcp,
    a2a: agents ? { ...a2a, agents } : a2a,
    permissions: rules ? { ...permissions, rules } : permissions,
    hooks: hooks && omitUndefined({ before: hooks.before?.map(placed), after: hooks.after?.map(placed) }),
  });
}

function eachOf<From, To>(
  named: Readonly<Record<string, From>>,
  change: (one: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(named).map(([name, one]) => [name, change(one)]));
}

function folderOf(file: string): string {
  const standard = configFiles.find((name) => file.endsWith(`${path.sep}${path.normalize(name)}`));
  return standard === undefined ? path.dirname(file) : file.slice(0, -standard.length - 1) || '/';
}
