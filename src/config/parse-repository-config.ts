import { ConfigError } from '../contract/errors.ts';
import { parseConfig } from './parse-config.ts';
import type { Config } from './schema.ts';

/** Host of a run. The App serves strangers; the Action a repository on its own runner. */
export type RunHost = 'app' | 'action' | 'cli';

/**
 * Parses a repository's (or its organisation's) own file, which must not reach what belongs to the
 * operator. `providers` would send the operator's key to any URL. In the App, `sandbox: off` would
 * run a stranger's commands beside the App's key. There `workspace.repos` could name any checkout,
 * and `env.pass` any secret. On the command line the file is the operator's, and everything is
 * allowed. Throws `ConfigError` like `parseConfig`.
 */
export function parseRepositoryConfig(text: string, file: string, host: RunHost): Config {
  const config = parseConfig(text, file);
  if (host === 'cli') return config;
  const [refused] = [...(host === 'app' ? refusedInApp(config) : []), ...refusedAnywhere(config)];
  if (refused === undefined) return config;
  const { key, why } = refused;
  throw new ConfigError(`${file}: ${key} cannot be set in a repository's file: ${why}. Remove it.`, {
    file,
    key,
  });
}

interface Refused {
  readonly key: string;
  readonly why: string;
}

const onlyFromRoot = 'only a path from the root of the repository is taken there';
const privateNetwork = "private addresses are those of the App's network";

function* refusedAnywhere(config: Config): Generator<Refused> {
  const { tools, workspace, plugins = {} } = config;
  if (config.providers !== undefined)
    yield {
      key: 'providers',
      why: 'endpoints and keys are set by whoever runs Anode CI, in its environment',
    };
  for (const [name, { command }] of Object.entries(plugins)) {
    const outside = command.findIndex((word) =>
      /^(~|\/(?!(usr|bin|sbin|lib|lib64)\/))|(^|\/)\.\.(\/|$)/.test(word),
    );
    if (outside >= 0)
      yield {
        key: `plugins.${name}.command.${outside}`,
        why: 'only a path from the root of the repository, or a program of the system, is taken there',
      };
  }
  if (typeof tools?.web === 'object' && tools.web.url !== undefined)
    yield {
      key: 'tools.web.url',
      why: 'it would be sent a key of whoever runs Anode CI, who sets it: SEARXNG_URL',
    };
  for (const [index, folder] of (tools?.toolboxDirs ?? []).entries())
    if (/^[/~]/.test(folder)) yield { key: `tools.toolboxDirs.${index}`, why: onlyFromRoot };
  for (const [index, repository] of (workspace?.repos ?? []).entries()) {
    const folder = typeof repository === 'string' ? repository : repository.path;
    if (/^[/~]/.test(folder)) yield { key: `workspace.repos.${index}`, why: onlyFromRoot };
  }
}

function* refusedInApp({ sandbox, env, network, a2a, mcp, tools, workspace }: Config): Generator<Refused> {
  if (sandbox === 'off')
    yield {
      key: 'sandbox',
      why: 'the App never runs without a sandbox for a repository; use required or preferred',
    };
  if (env !== undefined)
    yield { key: 'env', why: "secrets of the App's machine are for its operator to hand out" };
  if (network?.programs !== undefined)
    yield {
      key: 'network.programs',
      why: "what the App's machine reaches is for its operator to open",
    };
  if (network?.privateRegistries !== undefined)
    yield { key: 'network.privateRegistries', why: `${privateNetwork}, its operator's` };
  for (const [name, agent] of Object.entries(a2a?.agents ?? {}))
    if (agent.privateAddress === true)
      yield { key: `a2a.agents.${name}.privateAddress`, why: privateNetwork };
  for (const [name, server] of Object.entries(mcp?.servers ?? {}))
    if ('url' in server && server.privateAddress === true)
      yield { key: `mcp.servers.${name}.privateAddress`, why: privateNetwork };
  if (tools?.web !== undefined && tools.web !== false)
    yield { key: 'tools.web', why: "what the App's machine asks of the web is for its operator to open" };
  if ((workspace?.repos ?? []).length > 0)
    yield {
      key: 'workspace.repos.0',
      why: "every folder on the App's machine is somebody else's; its operator registers them",
    };
}
