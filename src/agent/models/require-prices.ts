import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { isPriced } from './prices.ts';
import { providerName } from './providers.ts';

/**
 * Holds a limit in dollars (null: there is none) to models whose price is known, by the table, the provider or
 * `modelDefaults.<model>.price`. A limit that cannot be held must not look as if it were: throws `ConfigError` that names
 * the first model without a price, and what to set.
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
    `The limit of $${maxCostUsd} cannot be held: what ${unknown} costs is not known. Set ${key} to its dollars for a million tokens ({input: …, output: …}; 0 where it costs nothing), or limits.maxTokens in place of limits.maxCostUsd.`,
    { key },
  );
}
