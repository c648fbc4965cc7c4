import { nearestKey } from '../../config/nearest-key.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { type ChatDialect, plainDialect } from './chat-dialect.ts';
import type { Cloud } from './model.ts';
import type { Price } from './prices.ts';
import {
  type HostName,
  providers as knownProviders,
  type Provider,
  providerName,
  providerNamed,
  type WireName,
} from './providers.ts';
import { azureResource, noCloud, resolveCloud } from './resolve-cloud.ts';

export interface ModelChoice {
  /** `provider/model`; null selects the first provider with a key. */
  readonly name: string | null;
  readonly providers: Config['providers'];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Context window in tokens, if the model's own settings name none. Default: 200,000. */
  readonly contextWindow?: number | undefined;
}

/** Everything about a model that is known before a byte goes out. */
export interface ResolvedModel {
  readonly provider: string;
  readonly model: string;
  readonly wire: WireName;
  /**
   * True for an operator's endpoint that has OpenAI's name but was not declared to support
   * Responses.
   */
  readonly mayBeChat: boolean;
  readonly host: HostName | null;
  readonly cloud: Cloud;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** Source of the key, for messages: a variable's name or a configuration key. */
  readonly keySource: string;
  readonly nativeTools: boolean;
  /** False if the operator states that the model takes no images. */
  readonly images: boolean;
  readonly contextWindow: number;
  readonly maxOutputTokens: number | null;
  readonly chat: ChatDialect;
  /** The operator's price. Null if list prices count. */
  readonly price: Price | null;
}

/** The default window: the minimum of current models, below which prices stay flat. */
const defaultContextWindow = 200_000;

/**
 * Selects the model, its endpoint and its key. Throws `ConfigError` with the variable or
 * configuration key that is missing, wrong or unknown.
 */
export function resolveProvider(choice: ModelChoice): ResolvedModel {
  const { environment } = choice;
  const [written, model] = splitName(choice.name ?? defaultName(environment));
  const configured = Object.keys(choice.providers ?? {});
  const provider = configured.includes(written) ? written : providerName(written);
  const settings = choice.providers?.[provider] ?? {};
  const known = knownProvider(provider, settings.type, configured);
  const host = known.host ?? null;
  const { cloud, baseUrl: standard } =
    host === null
      ? { cloud: noCloud, baseUrl: known.baseUrl }
      : resolveCloud(host, provider, settings, (name) => variable(environment, name));
  const endpoint = { ...known, baseUrl: standard };
  const { baseUrl, isOwn } = findBaseUrl(provider, settings.baseUrl, endpoint, environment);
  const found = findKey(provider, settings.apiKey, { known, isOwn }, environment);
  const guessed = host === null && known.wire === 'openai' && settings.type === undefined;
  return {
    provider,
    model,
    // An endpoint at OPENAI_BASE_URL without a key is a local server, and these speak Chat
    // Completions.
    wire: guessed && found.key === null ? 'openai-compatible' : known.wire,
    mayBeChat: guessed && found.key !== null && isOwn,
    host,
    cloud: { ...cloud, bearer: found.bearer },
    baseUrl: host === 'azure' ? azureResource(baseUrl) : baseUrl,
    key: found.key,
    keySource: found.keySource,
    ...resolveModel(model, known, settings, choice.contextWindow),
  };
}

/** Resolves the properties of a model, which its own settings and then its provider's decide. */
function resolveModel(
  model: string,
  known: Provider,
  settings: NonNullable<Config['providers']>[string],
  contextWindow: number = defaultContextWindow,
): Pick<ResolvedModel, 'nativeTools' | 'images' | 'contextWindow' | 'maxOutputTokens' | 'chat' | 'price'> {
  const own = settings.modelDefaults?.[model] ?? {};
  const chat = { ...plainDialect, ...known.chat };
  return {
    nativeTools: own.nativeTools ?? settings.nativeTools ?? true,
    images: own.images ?? settings.images ?? takesImages(known.wire, chat, model),
    contextWindow: own.maxContextTokens ?? contextWindow,
    maxOutputTokens: own.maxOutputTokens ?? null,
    chat,
    price: own.price === undefined ? null : wholePrice(own.price),
  };
}

function takesImages(wire: WireName, { images }: ChatDialect, model: string): boolean {
  if (wire !== 'openai-compatible') return true;
  return typeof images === 'boolean' ? images : images.test(model);
}

/** An omitted price of the cache is the price of other input tokens. */
function wholePrice({ input, output, cacheRead, cacheWrite }: WrittenPrice): Price {
  return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input };
}

type WrittenPrice = Pick<Price, 'input' | 'output'> & {
  readonly [Key in 'cacheRead' | 'cacheWrite']?: number | undefined;
};

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
    `No model is set and no key was found. Set a key (${variables}; in a workflow the input anthropic_api_key or openai_api_key, whose secret may be empty or not available to this job), or a model as provider/model.`,
    { key: 'ANTHROPIC_API_KEY' },
  );
}

/** The table's entry for a provider by its type or, without one, its name. */
function knownProvider(name: string, type: string | undefined, configured: readonly string[]): Provider {
  // A type of this kind gives an endpoint's protocol, not its address.
  if (type === 'openai-compatible') {
    return { baseUrl: '', keyVariable: null, ...providerNamed(name), wire: 'openai-compatible' };
  }
  const provider = providerNamed(type ?? name);
  if (provider !== undefined) return provider;
  const names = [
    ...Object.keys(knownProviders),
    ...(type === undefined ? configured : ['openai-compatible']),
  ];
  const nearest = nearestKey(type ?? name, names);
  throw new ConfigError(
    `There is no provider ${JSON.stringify(type ?? name)}: ${nearest === null ? `known are ${names.join(', ')}.` : `did you mean ${nearest}?`} For any other endpoint set providers.${name}.type to openai-compatible and providers.${name}.baseUrl.`,
    { key: type === undefined ? 'model' : `providers.${name}.type` },
  );
}

/**
 * The base URL: the configuration's, the environment's if the vendor's SDK reads one, the table's.
 */
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

/**
 * Finds the key and its source. An endpoint of one's own may have none, and so may clouds that find
 * credentials themselves. `bearer`: Azure gets a token of Entra ID instead.
 */
function findKey(
  name: string,
  configured: string | undefined,
  { known, isOwn }: { readonly known: Provider; readonly isOwn: boolean },
  environment: ModelChoice['environment'],
): { key: string | null; keySource: string; bearer: boolean } {
  const setting = `providers.${name}.apiKey`;
  const reference = /^\{env:([^}]+)\}$/.exec(configured ?? '')?.[1];
  if (configured !== undefined && reference === undefined)
    return { key: checkKey(configured, setting), keySource: setting, bearer: false };
  const token = configured === undefined ? tokenVariable(known, environment) : null;
  const source = reference ?? token ?? known.keyVariable;
  const key = variable(environment, source);
  if (key !== undefined && source !== null)
    return { key: checkKey(key, source), keySource: source, bearer: token !== null };
  const findsItself = known.host === 'bedrock' || known.host === 'vertex';
  const isRequired = reference !== undefined || known.host === 'azure' || !(isOwn || findsItself);
  if (source !== null && isRequired)
    throw new ConfigError(`The provider ${name} needs a key: set ${source}.`, { key: source });
  // Without a key, messages name the first variable of the sign-in.
  const signIn = findsItself ? known.credentialVariables?.[0] : undefined;
  return { key: null, keySource: signIn ?? source ?? setting, bearer: false };
}

function checkKey(key: string, source: string): string {
  if (/[^\x21-\x7e]/.test(key))
    throw new ConfigError(
      `The key in ${source} holds a space, a line break or another character that no key has: copy it again.`,
      { key: source },
    );
  return key;
}

/** Returns the variable of a token of Entra ID if it replaces the key of Azure. */
function tokenVariable(known: Provider, environment: ModelChoice['environment']): string | null {
  const token = 'AZURE_OPENAI_AD_TOKEN';
  if (known.host !== 'azure' || variable(environment, known.keyVariable) !== undefined) return null;
  return variable(environment, token) === undefined ? null : token;
}

/** A variable's value; an empty one is how workflows write a secret that is not set. */
function variable(
  environment: ModelChoice['environment'],
  name: string | null | undefined,
): string | undefined {
  return (name && environment[name]?.trim()) || undefined;
}
