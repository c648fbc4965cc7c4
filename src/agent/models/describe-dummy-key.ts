import type { Config } from '../../config/schema.ts';
import { isDummyKey } from '../../config/secret-values.ts';
import { ConfigError } from '../../contract/errors.ts';
import { type ModelChoice, resolveProvider } from './resolve-provider.ts';

/**
 * Returns a sentence for the operator if the key of a model is a word and no secret, since it is
 * then not redacted; '' for any other key. It does not quote the key. `model` is null for the
 * configured one.
 */
export function describeDummyKey(
  model: string | null,
  config: Pick<Config, 'model' | 'providers'>,
  environment: ModelChoice['environment'],
): string {
  try {
    const name = model ?? config.model ?? null;
    const { key, keySource } = resolveProvider({ name, providers: config.providers, environment });
    if (key === null || !isDummyKey(key)) return '';
    return `The key in ${keySource} is a placeholder or a short word, not a secret: it is sent to the endpoint, and not hidden in text or files.`;
  } catch (error) {
    // Without a model the run does not start, and says why.
    if (error instanceof ConfigError) return '';
    throw error;
  }
}
