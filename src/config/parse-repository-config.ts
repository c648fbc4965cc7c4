import { ConfigError } from '../contract/errors.ts';
import { parseConfig } from './parse-config.ts';
import type { Config } from './schema.ts';

/** Host of a run. The App serves strangers; the Action a repository on its own runner. */
export type RunHost = 'app' | 'action' | 'cli';

/**
 * Parses a repository's (or its organisation's) own file, which must not affect what belongs to the
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

/** Returns the keys that no repository may set on any host. */
function refusedAnywhere({ providers, tools, workspace, plugins = {} }: Config): Refused[] {
  const sendsKey = typeof tools?.web === 'object' && tools.web.url !== undefined;
  return [
    ...when(
      providers !== undefined,
      'providers',
      'the operator of Anode CI sets endpoints and keys in its environment',
    ),
    ...Object.entries(plugins).flatMap(([name, { command }]) => refusedWords(name, command)),
    ...when(
      sendsKey,
      'tools.web.url',
      'it would receive a key of the operator, who sets SEARXNG_URL in the environment',
    ),
    ...(tools?.toolboxDirs ?? []).flatMap((folder, index) =>
      refusedFolder(`tools.toolboxDirs.${index}`, folder),
    ),
    ...(workspace?.repos ?? []).flatMap((one, index) =>
      refusedFolder(`workspace.repos.${index}`, typeof one === 'string' ? one : one.path),
    ),
  ];
}

/** Returns the keys that only the operator of the App may set. */
function refusedInApp({ sandbox, env, network, a2a, mcp, tools, workspace }: Config): Refused[] {
  const hasWeb = tools?.web !== undefined && tools.web !== false;
  const agents = Object.entries(a2a?.agents ?? {}).map(([name, { privateAddress }]) =>
    when(privateAddress === true, `a2a.agents.${name}.privateAddress`, privateNetwork),
  );
  const servers = Object.entries(mcp?.servers ?? {}).map(([name, server]) => {
    const isPrivate = 'url' in server && server.privateAddress === true;
    return when(isPrivate, `mcp.servers.${name}.privateAddress`, privateNetwork);
  });
  return [
    ...when(
      sandbox === 'off',
      'sandbox',
      'the App never runs without a sandbox for a repository; use required or preferred',
    ),
    ...when(env !== undefined, 'env', "secrets of the App's machine are for its operator to hand out"),
    ...when(
      network?.programs !== undefined,
      'network.programs',
      'only the operator of the App opens network access of its machine',
    ),
    ...when(
      network?.privateRegistries !== undefined,
      'network.privateRegistries',
      `${privateNetwork}, its operator's`,
    ),
    ...agents.flat(),
    ...servers.flat(),
    ...when(hasWeb, 'tools.web', 'only the operator of the App enables web requests of its machine'),
    ...when(
      (workspace?.repos ?? []).length > 0,
      'workspace.repos.0',
      "folders on the App's machine belong to others; only its operator registers them",
    ),
  ];
}

function when(isRefused: boolean, key: string, why: string): Refused[] {
  return isRefused ? [{ key, why }] : [];
}

function refusedFolder(key: string, folder: string): Refused[] {
  return when(/^[/~]/.test(folder), key, onlyFromRoot);
}

/** Refuses the first word of a command that is no path of repository or system programs. */
function refusedWords(plugin: string, command: readonly string[]): Refused[] {
  const index = command.findIndex((word) =>
    /^(~|\/(?!(usr|bin|sbin|lib|lib64)\/))|(^|\/)\.\.(\/|$)/.test(word),
  );
  const why = 'only a path from the root of the repository, or a program of the system, is taken there';
  return when(index >= 0, `plugins.${plugin}.command.${index}`, why);
}
