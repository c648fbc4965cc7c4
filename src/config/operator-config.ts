import path from 'node:path';
import type { Hook } from '../contract/rules.ts';
import { configFiles } from './defaults.ts';
import type { Config } from './schema.ts';

/**
 * A configuration that the operator of this machine wrote: relative paths of its programs start at the file's own
 * folder; of a file that stands where a repository's does (`.github/anode.yml`) at the top of the repository, so that
 * one file means the same here and on GitHub.
 */
export function operatorConfig(config: Config, file: string): Config {
  const { permissions, hooks, plugins, a2a, mcp } = config;
  const folder = folderOf(path.resolve(file));
  const own = (hook: Hook): Hook => ({ ...hook, folder });
  const rules = permissions?.rules?.map((rule) => (rule.to === undefined ? rule : { ...rule, folder }));
  return {
    ...config,
    ...(plugins === undefined ? {} : { plugins: eachOf(plugins, (plugin) => ({ ...plugin, folder })) }),
    ...(mcp?.servers === undefined
      ? {}
      : { mcp: { ...mcp, servers: eachOf(mcp.servers, (server) => ({ ...server, folder })) } }),
    ...(a2a?.agents === undefined
      ? {}
      : { a2a: { ...a2a, agents: eachOf(a2a.agents, (agent) => ({ ...agent, by: 'operator' as const })) } }),
    ...(rules === undefined ? {} : { permissions: { ...permissions, rules } }),
    ...(hooks === undefined
      ? {}
      : {
          hooks: {
            ...(hooks.before === undefined ? {} : { before: hooks.before.map(own) }),
            ...(hooks.after === undefined ? {} : { after: hooks.after.map(own) }),
          },
        }),
  };
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
