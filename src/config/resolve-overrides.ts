import { Preset, SandboxMode } from '../contract/levels.ts';
import { presetOf } from './defaults.ts';
import type { Config } from './schema.ts';

/**
 * The effective workflow inputs, and a sentence for the log on each that differs from the files.
 */
export interface ResolvedOverrides {
  readonly overrides: Config;
  readonly notes: readonly string[];
}

/** One setting with an order, from the loosest word to the strictest. */
interface OrderedSetting {
  readonly key: string;
  readonly input: string;
  readonly values: readonly string[];
  readonly read: (config: Config) => string | undefined;
  readonly drop: (config: Config) => Config;
}

const orderedSettings: readonly OrderedSetting[] = [
  {
    key: 'permissions.preset',
    input: 'preset',
    values: Preset.options,
    read: (config) => (config.permissions?.preset === undefined ? undefined : presetOf(config)),
    drop: ({ permissions, ...rest }) => {
      const { preset: _, ...others } = permissions ?? {};
      return Object.keys(others).length === 0 ? rest : { ...rest, permissions: others };
    },
  },
  {
    key: 'sandbox',
    input: 'sandbox',
    values: SandboxMode.options.toReversed(),
    read: ({ sandbox }) => sandbox,
    drop: ({ sandbox: _, ...rest }) => rest,
  },
];

/**
 * Removes workflow inputs that are less strict than the configuration files: of two presets or
 * sandbox modes, the stricter applies. Every other input keeps its place above the files. Pure.
 */
export function resolveOverrides(overrides: Config, files: Config): ResolvedOverrides {
  return orderedSettings.reduce<ResolvedOverrides>(
    (resolved, { key, input, values, read, drop }) => {
      const [own, other] = [read(overrides), read(files)];
      if (own === undefined || other === undefined || own === other) return resolved;
      const isWeaker = values.indexOf(own) < values.indexOf(other);
      const note = isWeaker
        ? `${key}: ${other} applies, as the configuration says; it is stricter than the input ${input}: ${own}.`
        : `${key}: ${own} applies, as the input ${input} says; it is stricter than the configuration's ${other}.`;
      return {
        overrides: isWeaker ? drop(resolved.overrides) : resolved.overrides,
        notes: [...resolved.notes, note],
      };
    },
    { overrides, notes: [] },
  );
}
