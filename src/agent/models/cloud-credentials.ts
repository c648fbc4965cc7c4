import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { namedModels } from './named-models.ts';
import { type Provider, providerNamed } from './providers.ts';

/**
 * Variables that hold credentials for the clouds that a run may use, or say in which files they are. Those of a cloud that
 * no model of the configuration runs on are no business of ours: a hook may have them.
 */
export function cloudVariables(config: Config, chosen: string | null): string[] {
  return cloudsOf(config, chosen).flatMap(({ credentialVariables = [] }) => credentialVariables);
}

/**
 * Refuses credentials of such a cloud that lie in the checkout, where whatever the agent starts could read them: actions
 * that sign in to Google put them there. Throws `ConfigError` with the variable and what to do.
 */
export function refuseReadableCredentials(
  config: Config,
  chosen: string | null,
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
): void {
  for (const name of cloudsOf(config, chosen).flatMap(({ credentialFiles = [] }) => credentialFiles)) {
    const file = environment[name];
    if (file === undefined || file === '') continue;
    // Runners reach one folder by several names.
    const below = path.relative(realPath(root), realPath(file));
    if (below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below)) continue;
    throw new ConfigError(
      `${name} names a file in the checkout, where the agent could read it. Keep it outside, or sign in with a token: for Google, token_format: access_token and create_credentials_file: false, and the token in CLOUDSDK_AUTH_ACCESS_TOKEN.`,
      { key: name },
    );
  }
}

/** Where a path leads; of what is not there, what it says. */
function realPath(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return path.resolve(given);
  }
}

function cloudsOf(config: Config, chosen: string | null): Provider[] {
  const names = namedModels(config, chosen).map((model) => model.slice(0, Math.max(0, model.indexOf('/'))));
  const types = names.map((name) => config.providers?.[name]?.type ?? name);
  const found = [...names, ...types].map(providerNamed);
  return [...new Set(found)].flatMap((provider) => (provider?.host === undefined ? [] : [provider]));
}
