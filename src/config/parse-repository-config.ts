import { ConfigError } from '../contract/errors.ts';
import { parseConfig } from './parse-config.ts';
import type { Config } from './schema.ts';

/** Who runs a repository's file: the App serves strangers, the Action a repository on a runner of its own. */
export type RunHost = 'app' | 'action' | 'cli';

/**
 * A repository's (or its organisation's) own file, which may steer a run but not reach for what is the operator's:
 * `providers` would send the operator's key to a URL of the file's choosing; in the App, `sandbox: off` would
 * run a stranger's commands beside the App's key, `workspace.repos` could name any checkout of the machine, and
 * `env.pass` any secret of it. On the command line the file is the operator's, and everything holds. Throws `ConfigError` like `parseConfig`.
 */
export function parseRepositoryConfig(text: string, file: string, host: RunHost): Config {
  const config = parseConfig(text, file);
  if (host === 'cli') return config;
  if (config.providers !== undefined) {
    refuse(file, 'providers', 'endpoints and keys are set by whoever runs Anode CI, in its environment');
  }
  if (host === 'app' && config.sandbox === 'off') {
    refuse(
      file,
      'sandbox',
      'the App never runs without a sandbox for a repository; use required or preferred',
    );
  }
  if (host === 'app' && config.env !== undefined) {
    refuse(file, 'env', "secrets of the App's machine are for its operator to hand out");
  }
  if (host === 'app' && config.network?.programs !== undefined) {
    refuse(file, 'network.programs', "what the App's machine reaches is for its operator to open");
  }
  if (host === 'app' && config.network?.privateRegistries !== undefined) {
    refuse(
      file,
      'network.privateRegistries',
      "private addresses are those of the App's network, its operator's",
    );
  }
  if (host === 'app') {
    const opened = Object.entries(config.a2a?.agents ?? {}).find(
      ([, agent]) => agent.privateAddress === true,
    );
    if (opened !== undefined)
      refuse(
        file,
        `a2a.agents.${opened[0]}.privateAddress`,
        "private addresses are those of the App's network",
      );
  }
  if (host === 'app') {
    const opened = Object.entries(config.mcp?.servers ?? {}).find(
      ([, server]) => 'url' in server && server.privateAddress === true,
    );
    if (opened !== undefined)
      refuse(
        file,
        `mcp.servers.${opened[0]}.privateAddress`,
        "private addresses are those of the App's network",
      );
  }
  for (const [name, { command }] of Object.entries(config.plugins ?? {})) {
    const outside = command.findIndex((word) =>
      /^(~|\/(?!(usr|bin|sbin|lib|lib64)\/))|(^|\/)\.\.(\/|$)/.test(word),
    );
    if (outside >= 0)
      refuse(
        file,
        `plugins.${name}.command.${outside}`,
        'only a path from the root of the repository, or a program of the system, is taken there',
      );
  }
  const { web = false } = config.tools ?? {};
  if (host === 'app' && web !== false)
    refuse(file, 'tools.web', "what the App's machine asks of the web is for its operator to open");
  if (typeof web === 'object' && web.url !== undefined) {
    refuse(
      file,
      'tools.web.url',
      'it would be sent a key of whoever runs Anode CI, who sets it: SEARXNG_URL',
    );
  }
  for (const [index, folder] of (config.tools?.toolboxDirs ?? []).entries()) {
    if (/^[/~]/.test(folder))
      refuse(
        file,
        `tools.toolboxDirs.${index}`,
        'only a path from the root of the repository is taken there',
      );
  }
  for (const [index, repository] of (config.workspace?.repos ?? []).entries()) {
    const key = `workspace.repos.${index}`;
    if (host === 'app') {
      refuse(file, key, "every folder on the App's machine is somebody else's; its operator registers them");
    }
    const given = typeof repository === 'string' ? repository : repository.path;
    if (/^[/~]/.test(given)) refuse(file, key, 'only a path from the root of the repository is taken there');
  }
  return config;
}

function refuse(file: string, key: string, why: string): never {
  throw new ConfigError(`${file}: ${key} cannot be set in a repository's file: ${why}. Remove it.`, {
    file,
    key,
  });
}
