import { type ModelChoice, resolveProvider } from '../../agent/models/resolve-provider.ts';
import type { Config } from '../../config/schema.ts';
import { isDummyKey } from '../../config/secret-values.ts';
import { ConfigError } from '../../contract/errors.ts';

/** Warns if the key of the run's model is a word and no secret, as it is then not redacted. */
export function warnOfDummyKey({
  model,
  config,
  environment,
}: {
  readonly model: string | null;
  readonly config: Config;
  readonly environment: ModelChoice['environment'];
}): string[] {
  try {
    const name = model ?? config.model ?? null;
    const { key, keySource } = resolveProvider({ name, providers: config.providers, environment });
    if (key === null || !isDummyKey(key)) return [];
    return [
      `The key in ${keySource} (${key}) is a placeholder or a short word, not a secret: it is sent to the endpoint, and not hidden in text or files.`,
    ];
  } catch (error) {
    // Without a model the run does not start, and its error gives the reason.
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
