import { Preset, SandboxMode } from '../contract/levels.ts';
import { presetOf } from './defaults.ts';
import type { Config } from './schema.ts';

/**
 * The workflow's inputs as they hold, and a sentence for the log on each that differs from the
 * files.
 */
export interface SettledOverrides {
  readonly overrides: Config;
  readonly notes: readonly string[];
}

/** One setting with an order, from the loosest word to the strictest. */
interface Ordered {
  readonly key: string;
  readonly input: string;
  readonly words: readonly string[];
  readonly read: (config: Config) => string | undefined;
  readonly drop: (config: Config) => Config;
}

const ordered: readonly Ordered[] = [
  {
    key: 'permissions.preset',
    input: 'preset',
    words: Preset.options,
    read: (config) => (config.permissions?.preset === undefined ? undefined : presetOf(config)),
    drop: ({ permissions, ...rest }) => {
      const { preset: _, ...others } = permissions ?? {};
      return Object.keys(others).length === 0 ? rest : { ...rest, permissions: others };
    },
  },
  {
    key: 'sandbox',
    input: 'sandbox',
    words: SandboxMode.options.toReversed(),
    read: ({ sandbox }) => sandbox,
    drop: ({ sandbox: _, ...rest }) => rest,
  },
];

/**
 * Takes out of a workflow's inputs what the configuration files hold to more strictly: of two
 * presets or sandbox modes that were set, the stricter holds. Every other input keeps its place
 * above the files. Pure.
 */
export function settleOverrides(overrides: Config, files: Config): SettledOverrides {
  return ordered.reduce<SettledOverrides>(
    (settled, { key, input, words, read, drop }) => {
      const [own, other] = [read(overrides), read(files)];
      if (own === undefined || other === undefined || own === other) return settled;
      const isWeaker = words.indexOf(own) < words.indexOf(other);
      const note = isWeaker
        ? `${key}: ${other} holds, as the configuration says; it is stricter than the input ${input}: ${own}.`
        : `${key}: ${own} holds, as the input ${input} says; it is stricter than the configuration's ${other}.`;
      return {
        overrides: isWeaker ? drop(settled.overrides) : settled.overrides,
        notes: [...settled.notes, note],
      };
    },
    { overrides, notes: [] },
  );
}
