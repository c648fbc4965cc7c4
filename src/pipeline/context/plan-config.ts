import { mergeConfig } from '../../config/merge-config.ts';
import { parseRepositoryConfig } from '../../config/parse-repository-config.ts';
import type { Config } from '../../config/schema.ts';
import { settleOverrides } from '../../config/settle-overrides.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** What a plan's own configuration is put between. */
export interface ConfigLayers {
  /** Stronger than any file, but for what a file holds to more strictly. */
  readonly overrides: Config;
  /** Weaker than the repository's. */
  readonly operatorConfig: Config;
}

/** The configuration of a plan's run. Throws `ConfigError`. */
export function configOf(plan: RunPlan, layers: ConfigLayers): Config {
  const { config_text: text, config_file: file } = plan;
  const own = text === null ? {} : parseRepositoryConfig(text, file ?? 'the configuration', plan.source.kind);
  const files = mergeConfig(own, layers.operatorConfig);
  return mergeConfig(settleOverrides(layers.overrides, files).overrides, files);
}

/** The same, or none where the run ends by it. */
export function usableConfig(plan: RunPlan, layers: ConfigLayers): Config {
  try {
    return configOf(plan, layers);
  } catch {
    return {};
  }
}
