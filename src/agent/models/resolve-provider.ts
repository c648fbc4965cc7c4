import { nearestKey } from '../../config/nearest-key.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { providers as knownProviders, type Provider, type WireName } from './providers.ts';

export interface ModelChoice {
  /** `provider/model`; null takes the first provider whose key is there. */
  readonly name: string | null;
  readonly providers: Config['providers'];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Tokens that the model takes where its own settings say nothing of it; left out, 200,000. */
  readonly contextWindow?: number | undefined;
}

/** Everything about a model that is known before a byte goes out. */
export interface ResolvedModel {
  readonly provider: string;
  readonly model: string;
  readonly wire: WireName;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** Where the key came from, for messages: a variable's name or a configuration key. */
  readonly keySource: string;
  readonly nativeTools: boolean;
  /** False where the operator says that the model takes no images. */
  readonly images: boolean;
  readonly contextWindow: number;
  readonly maxOutputTokens: number | null;
  readonly streamUsage: boolean;
}

/** The window where none is configured: what current models have at least, and where prices stay flat. */
const defaultContextWindow = 200_000;

/**
 * Decides which model at which endpoint with which key. Throws `ConfigError` that names the variable or
 * configuration key when one is missing, wrong or unknown.
 */
export function resolveProvider(choice: ModelChoice): ResolvedModel {
  const [provider, model] = splitName(choice.name ?? defaultName(choice.environment));
  const settings = choice.providers?.[provider] ?? {};
  const known = knownProvider(provider, settings.type, Object.keys(choice.providers ?? {}));
  const { baseUrl, isOwn } = findBaseUrl(provider, settings.baseUrl, known, choice.environment);
  const { key, keySource } = findKey(provider, settings.apiKey, known, isOwn, choice.environment);
  const defaults = settings.modelDefaults?.[model] ?? {};
  return {
    provider,
    model,
    // What stands at OPENAI_BASE_URL without a key is a local server, and these speak Chat Completions.
    wire:
      known.wire === 'openai' && key === null && settings.type === undefined
        ? 'openai-compatible'
        : known.wire,
    baseUrl,
    key,
    keySource,
    nativeTools: defaults.nativeTools ?? settings.nativeTools ?? true,
    images: defaults.images ?? settings.images ?? true,
    contextWindow: defaults.maxContextTokens ?? choice.contextWindow ?? defaultContextWindow,
    maxOutputTokens: defaults.maxOutputTokens ?? null,
    streamUsage: known.streamUsage ?? true,
  };
}

function splitName(name: string): [provider: string, model: string] {
  const slash = name.indexOf('/');
  if (slash > 0 && slash < name.length - 1) return [name.slice(0, slash), name.slice(slash + 1)];
  throw new ConfigError(
    `The model is given as provider/model, for example anthropic/claude-sonnet-4-6; got ${JSON.stringify(name)}.`,
    { key: 'model' },
  );
}

function defaultName(environment: ModelChoice['environment']): string {
  const candidates = Object.entries(knownProviders).filter(
    ([, { defaultModel }]) => defaultModel !== undefined,
  );
  for (const [name, { keyVariable, defaultModel }] of candidates) {
    if (variable(environment, keyVariable) !== undefined) return `${name}/${defaultModel}`;
  }
  if (variable(environment, 'OPENAI_BASE_URL') !== undefined) {
    throw new ConfigError(
      'OPENAI_BASE_URL names an endpoint, but no model is set: give one as openai/NAME, as the endpoint calls it.',
      { key: 'model' },
    );
  }
  const variables = candidates.map(([, { keyVariable }]) => keyVariable).join(', ');
  throw new ConfigError(
    `No model is set and no key was found: set one of ${variables}, or set a model as provider/model.`,
    { key: 'ANTHROPIC_API_KEY' },
  );
}

/** The table's entry for a provider by its type or, without one, its name. */
function knownProvider(name: string, type: string | undefined, configured: readonly string[]): Provider {
  // A type of this kind says how an endpoint speaks, not where it is.
  if (type === 'openai-compatible') {
    return { baseUrl: '', keyVariable: null, ...knownProviders[name], wire: 'openai-compatible' };
  }
  const provider = knownProviders[type ?? name];
  if (provider !== undefined) return provider;
  const words = [
    ...Object.keys(knownProviders),
    ...(type === undefined ? configured : ['openai-compatible']),
  ];
  const nearest = nearestKey(type ?? name, words);
  throw new ConfigError(
    `There is no provider ${JSON.stringify(type ?? name)}: ${nearest === null ? `known are ${words.join(', ')}.` : `did you mean ${nearest}?`} For any other endpoint set providers.${name}.type to openai-compatible and providers.${name}.baseUrl.`,
    { key: type === undefined ? 'model' : `providers.${name}.type` },
  );
}

/** The base URL: the configuration's, the environment's where the vendor's SDK reads one, the table's. */
function findBaseUrl(
  name: string,
  configured: string | undefined,
  known: Provider,
  environment: ModelChoice['environment'],
): { baseUrl: string; isOwn: boolean } {
  const moved = variable(environment, known.baseUrlVariable);
  const baseUrl = configured ?? moved ?? known.baseUrl;
  const key =
    configured === undefined && moved !== undefined ? known.baseUrlVariable : `providers.${name}.baseUrl`;
  if (!/^https?:\/\/[^/]/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigError(
      `The provider ${name} needs the URL of its endpoint in ${key}, for example http://127.0.0.1:11434/v1.`,
      { key: key ?? 'model' },
    );
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), isOwn: configured !== undefined || moved !== undefined };
}

/** The key, and where it came from. An endpoint of one's own may go without; a vendor's may not. */
function findKey(
  name: string,
  configured: string | undefined,
  known: Provider,
  isOwn: boolean,
  environment: ModelChoice['environment'],
): { key: string | null; keySource: string } {
  const place = `providers.${name}.apiKey`;
  const reference = /^\{env:([^}]+)\}$/.exec(configured ?? '')?.[1];
  const literal = configured !== undefined && reference === undefined;
  const source = literal ? null : (reference ?? known.keyVariable);
  const key = literal ? configured : (variable(environment, source) ?? null);
  if (key === null && source !== null && (reference !== undefined || !isOwn)) {
    throw new ConfigError(`The provider ${name} needs a key: set ${source}.`, { key: source });
  }
  if (key !== null && /[^\x21-\x7e]/.test(key)) {
    throw new ConfigError(
      `The key in ${source ?? place} holds a space, a line break or another character that no key has: copy it again.`,
      { key: source ?? place },
    );
  }
  return { key, keySource: source ?? place };
}

/** A variable's value; an empty one is how workflows write a secret that is not set. */
function variable(
  environment: ModelChoice['environment'],
  name: string | null | undefined,
): string | undefined {
  return (name && environment[name]?.trim()) || undefined;
}
