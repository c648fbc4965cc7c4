import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import { resolveProvider } from './resolve-provider.ts';

/**
 * A sentence on what would take over from the model, for those who check a set-up: in a run, what cannot be had is passed
 * over, and nobody would know before it is needed. '' where nothing is to take over. Nothing is loaded or asked.
 */
export function describeFallback(
  config: Pick<Config, 'models' | 'providers'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const told = (config.models?.fallback ?? []).map((name) => {
    try {
      resolveProvider({ name, providers: config.providers, environment });
      return name;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return `${name}, which cannot be had: ${error.message.replace(/\.$/, '')}`;
    }
  });
  return told.length === 0 ? '' : ` To fall back to: ${told.join('; ')}.`;
}
