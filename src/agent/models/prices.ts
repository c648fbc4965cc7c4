import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Usage } from '../../contract/usage.ts';
import { providerName } from './providers.ts';

/** Dollars for a million tokens, by how they were counted. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

interface PricedModel {
  /** The model's name without the date or `-latest` that may follow it. */
  readonly name: string;
  readonly price: Price;
}

/**
 * Anthropic charges 1.25 times the input for a five-minute cache entry, a tenth for reading one.
 */
function claude(name: string, input: number, output: number): PricedModel {
  return { name, price: { input, output, cacheRead: round(input / 10), cacheWrite: round(input * 1.25) } };
}

function other(name: string, input: number, cacheRead: number, output: number): PricedModel {
  return { name, price: { input, output, cacheRead, cacheWrite: input } };
}

function round(dollars: number): number {
  return Number(dollars.toFixed(4));
}

/**
 * List prices for requests below the long-context thresholds, as the vendors' pricing pages gave
 * them.
 */
const pricedModels: readonly PricedModel[] = [
  claude('claude-opus-5-5', 4, 20),
  claude('claude-opus-5', 5, 25),
  claude('claude-opus-4-8', 5, 25),
  claude('claude-opus-4-7', 5, 25),
  claude('claude-opus-4-6', 5, 25),
  claude('claude-opus-4-5', 5, 25),
  claude('claude-sonnet-5-5', 2, 10),
  claude('claude-sonnet-4-6', 3, 15),
  claude('claude-sonnet-4-5', 3, 15),
  claude('claude-haiku-4-5', 1, 5),
  claude('claude-opus-4-1', 15, 75),
  claude('claude-opus-4', 15, 75),
  claude('claude-sonnet-4', 3, 15),
  claude('claude-3-5-haiku', 0.8, 4),
  other('gpt-5.5', 5, 0.5, 30),
  other('gpt-5.4', 2.5, 0.25, 15),
  other('gpt-5.4-mini', 0.75, 0.075, 4.5),
  other('gpt-5.4-nano', 0.2, 0.02, 1.25),
  other('gpt-5', 1.25, 0.125, 10),
  other('gpt-5-mini', 0.25, 0.025, 2),
  other('gpt-5-nano', 0.05, 0.005, 0.4),
  other('gpt-5-codex', 1.25, 0.125, 10),
  other('gpt-5.1-codex', 1.25, 0.125, 10),
  other('gpt-5.1-codex-max', 1.25, 0.125, 10),
  other('gpt-5.1-codex-mini', 0.25, 0.025, 2),
  other('gpt-5.2-codex', 1.75, 0.175, 14),
  other('gpt-5.1', 1.25, 0.125, 10),
  other('gpt-5.2', 1.75, 0.175, 14),
  other('gpt-4.1', 2, 0.5, 8),
  other('gpt-4.1-mini', 0.4, 0.1, 1.6),
  other('gpt-4.1-nano', 0.1, 0.025, 0.4),
  other('o3', 2, 0.5, 8),
  other('o4-mini', 1.1, 0.275, 4.4),
  other('glm-4.5', 0.6, 0.11, 2.2),
  other('glm-4.6', 0.6, 0.11, 2.2),
  other('glm-4.7', 0.6, 0.11, 2.2),
  other('glm-5', 1, 0.2, 3.2),
  other('glm-5.1', 1.4, 0.26, 4.4),
  other('glm-5.2', 1.4, 0.26, 4.4),
  other('glm-5.3', 1.4, 0.26, 4.4),
];

/** The vendors themselves: resellers of their models have their own prices. */
const listPriceProviders = new Set(['anthropic', 'openai', 'zai']);
/** Providers that report the price of each request. */
const priceReportingProviders = new Set(['openrouter']);
/** One's own machine. */
const free: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * Returns the vendor's list price of a model in dollars per million tokens. Null without a known
 * price, for another provider than the vendor, or for a model outside the table.
 */
export function listPrice(provider: string, model: string): Price | null {
  if (provider === 'ollama') return free;
  if (!listPriceProviders.has(provider)) return null;
  const plain = model.toLowerCase().replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return pricedModels.find(({ name }) => name === plain)?.price ?? null;
}

/** Returns true if the cost of requests is known, by the table or from the provider. */
export function isPriced(provider: string, model: string): boolean {
  return priceReportingProviders.has(provider) || listPrice(provider, model) !== null;
}

/** Returns the cost of tokens in US dollars. Null without a price. */
export function costOf(price: Price | null, usage: Usage): number | null {
  if (price === null) return null;
  const { input, output, cache_read, cache_write } = usage;
  const millionths =
    input * price.input +
    output * price.output +
    cache_read * price.cacheRead +
    cache_write * price.cacheWrite;
  return millionths / 1_000_000;
}

/**
 * Enforces a limit in dollars (null: none): the price of each model must be known from the table,
 * the provider or `modelDefaults.<model>.price`. Throws `ConfigError` for a limit that cannot be
 * enforced, with the first model without a price and the remedy.
 */
export function requirePrices(
  maxCostUsd: number | null,
  names: readonly string[],
  providers: Config['providers'],
): void {
  if (maxCostUsd === null) return;
  const unknown = names.find((name) => {
    const [provider, model] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)];
    if (providers?.[provider]?.modelDefaults?.[model]?.price !== undefined) return false;
    return !isPriced(providerName(provider), model);
  });
  if (unknown === undefined) return;
  const key = `providers.${unknown.replace('/', '.modelDefaults.')}.price`;
  throw new ConfigError(
    `The limit of $${maxCostUsd} cannot be enforced: the price of ${unknown} is unknown. Set ${key} to its price in dollars for a million tokens ({input: …, output: …}; 0 if it is free), or limits.maxTokens in place of limits.maxCostUsd.`,
    { key },
  );
}
