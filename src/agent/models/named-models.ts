import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { type Provider, providerNamed } from './providers.ts';
import { resolveProvider } from './resolve-provider.ts';

/**
 * Returns the whole name, `provider/model`, of a model that a profile or a call names. Only
 * configured models may be used: the run's own (`chosen`), `model`, `models.allow`,
 * `models.fallback` and those of profiles. A stranger's text may have caused the call, and any
 * other model would cost the operator's money. The provider may be omitted if the name is unique.
 * Throws `ConfigError` that lists them otherwise.
 */
export function findNamedModel(name: string, config: Config, chosen: string | null): string {
  const known = namedModels(config, chosen);
  const matching = known.includes(name)
    ? [name]
    : known.filter((one) => one.slice(one.indexOf('/') + 1) === name);
  if (matching.length === 1 && matching[0] !== undefined) return matching[0];
  const listed = known.length === 0 ? 'none is' : `these are: ${known.join(', ')}`;
  throw new ConfigError(
    matching.length > 1
      ? `Several providers have a model ${name}: say which, as ${matching.join(' or ')}.`
      : `The model ${name} is not one that this run may use; ${listed}. Others are added in models.allow, as provider/model.`,
    { key: 'models.allow' },
  );
}

/** Every model that the run may use, by its whole name. */
export function namedModels(config: Config, chosen: string | null): string[] {
  const { models, profiles } = config;
  const ofProfiles = Object.values(profiles ?? {}).map(({ model }) => model);
  const all = [chosen, config.model, ...(models?.allow ?? []), ...(models?.fallback ?? []), ...ofProfiles];
  return [...new Set(all.filter((name): name is string => typeof name === 'string'))];
}

/**
 * Variables that hold credentials for the clouds that a run may use, or name files with them.
 * Credentials of a cloud without a configured model do not concern us: a hook may have them.
 */
export function cloudVariables(config: Config, chosen: string | null): string[] {
  return cloudsOf(config, chosen).flatMap(({ credentialVariables = [] }) => credentialVariables);
}

/**
 * Refuses credentials of such a cloud inside the checkout, where programs of the agent could read
 * them. Actions that sign in to Google write them there. Throws `ConfigError` with the variable and
 * the remedy.
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

/** Returns the real path, or the path itself if it does not exist. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

function cloudsOf(config: Config, chosen: string | null): Provider[] {
  const names = namedModels(config, chosen).map((model) => model.slice(0, Math.max(0, model.indexOf('/'))));
  const types = names.map((name) => config.providers?.[name]?.type ?? name);
  const found = [...names, ...types].map(providerNamed);
  return [...new Set(found)].flatMap((provider) => (provider?.host === undefined ? [] : [provider]));
}

/**
 * Describes the model that would take over, for users who check a set-up; a run skips an
 * unavailable fallback without notice. '' without a fallback. Loads and requests nothing.
 */
export function describeFallback(
  config: Pick<Config, 'models' | 'providers'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const listed = (config.models?.fallback ?? []).map((name) => {
    try {
      resolveProvider({ name, providers: config.providers, environment });
      return name;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return `${name}, which is not available: ${error.message.replace(/\.$/, '')}`;
    }
  });
  return listed.length === 0 ? '' : `To fall back to: ${listed.join('; ')}.`;
}
