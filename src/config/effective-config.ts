import { actionInputs } from '../contract/action-inputs.ts';
import { Severity } from '../contract/findings.ts';
import { Preset, SandboxMode } from '../contract/levels.ts';
import { presetOf } from './defaults.ts';
import { configAt, mergeConfig } from './merge-config.ts';
import type { Config } from './schema.ts';

/** The configuration that applies, and what a workflow's inputs have in it. */
interface EffectiveConfig {
  readonly config: Config;
  /** The inputs without the values that the files limit. */
  readonly overrides: Config;
  /** A sentence for the log on each input that differs from a limit of the files. */
  readonly notes: readonly string[];
}

/** Returns the stricter of two values of a setting, which may be neither. */
type Stricter = (own: unknown, other: unknown) => unknown;

/** The word with the later place; `words` go from the loosest to the strictest. */
const laterOf =
  (words: readonly unknown[]): Stricter =>
  (own, other) =>
    words.indexOf(own) < words.indexOf(other) ? other : own;

const smaller: Stricter = (own, other) => Math.min(Number(own), Number(other));

/** The names that both lists have, ignoring case. */
const common: Stricter = (own, other) => {
  const names = listOf(other).map((name) => name.toLowerCase());
  return listOf(own).filter((name) => names.includes(name.toLowerCase()));
};

const both: Stricter = (own, other) => [...new Set([...listOf(other), ...listOf(own)])];

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const filesFirst: Stricter = (_, other) => other;

/** Entries of the files by their names, and those of the inputs that have other names. */
const filesFirstByName: Stricter = (own, other) => ({ ...Object(own), ...Object(other) });

/** Access to the web: none, only searching, or the hosts that both name. */
const narrowerWeb: Stricter = (own, other) => {
  if (own === false || other === false) return false;
  if (own === true || other === true) return true;
  return { ...Object(own), ...Object(other), allow: common(Object(own).allow, Object(other).allow) };
};

/** Rules of the files decide first; the others only where those say nothing. */
const rulesInOrder: Stricter = (own, other) => [
  ...(Array.isArray(other) ? other : []),
  ...(Array.isArray(own) ? own : []),
];

/** The severity from which findings are reported, or block. */
const lowerSeverity = laterOf(Severity.options.toReversed());

/**
 * The settings that limit a run, by their keys. Of two values the stricter applies. Every other
 * input keeps its place above the files.
 */
const limitingSettings: Readonly<Record<string, Stricter>> = {
  'permissions.preset': laterOf(Preset.options),
  'permissions.onAsk': laterOf(['comment', 'deny']),
  'permissions.rules': rulesInOrder,
  sandbox: laterOf(SandboxMode.options.toReversed()),
  'limits.maxTurns': smaller,
  'limits.maxToolCalls': smaller,
  'limits.maxTokens': smaller,
  'limits.maxCostUsd': smaller,
  'limits.timeoutSeconds': smaller,
  'protected.allow': common,
  'models.allow': common,
  'triggers.allowBots': common,
  'triggers.failedBuild': laterOf(['all', 'own', 'off']),
  'tools.disabled': both,
  'tools.web': narrowerWeb,
  'network.privateRegistries': common,
  'network.programs': filesFirst,
  'env.pass': filesFirst,
  'question.answerers': common,
  trustedBranches: filesFirst,
  plugins: filesFirstByName,
  'mcp.servers': filesFirstByName,
  'a2a.agents': filesFirstByName,
  'lsp.servers': filesFirstByName,
  'review.failOn': lowerSeverity,
  'review.minSeverity': lowerSeverity,
  'review.requestChanges': (own, other) =>
    lowerSeverity(own === true ? 'high' : own, other === true ? 'high' : other),
  'review.checksOnly': laterOf([false, true]),
  'commit.outlet': laterOf(['commit', 'suggestions', 'patch']),
};

/**
 * Merges the inputs of a workflow over the files. A workflow may not loosen a limit: of two values
 * of a limiting setting, the stricter applies. The workflow of a pull request is its author's, and
 * the files are the base branch's. Pure.
 */
export function effectiveConfig(overrides: Config, files: Config): EffectiveConfig {
  let resolved = overrides;
  const notes: string[] = [];
  for (const [key, stricter] of Object.entries(limitingSettings)) {
    const path = key.split('.');
    const [own, other] = [valueAt(overrides, path), valueAt(files, path)];
    if (own === undefined || other === undefined || isEqual(own, other)) continue;
    const applies = stricter(own, other);
    // A value of the files stays theirs, as `config` lists it.
    const rest = without(resolved, path) as Config;
    resolved = isEqual(applies, other) ? rest : mergeConfig(configAt(path, applies), rest);
    notes.push(noteOn(key, { own, other, applies }));
  }
  return { config: mergeConfig(resolved, files), overrides: resolved, notes };
}

function valueAt(config: Config, path: readonly string[]): unknown {
  if (path.join('.') === 'permissions.preset' && config.permissions?.preset !== undefined)
    return presetOf(config);
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    config,
  );
}

/** Copies an object without the value at a path, and without parents that this empties. */
function without(config: object, [key = '', ...rest]: readonly string[]): object {
  const { [key]: value, ...others } = config as Record<string, unknown>;
  if (rest.length === 0 || typeof value !== 'object' || value === null) return others;
  const below = without(value, rest);
  return Object.keys(below).length === 0 ? others : { ...others, [key]: below };
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function noteOn(
  key: string,
  { own, other, applies }: { readonly own: unknown; readonly other: unknown; readonly applies: unknown },
): string {
  const input = Object.entries(actionInputs).find(([, { key: twin }]) =>
    `${twin}.`.startsWith(`${key}.`),
  )?.[0];
  const source = input === undefined ? 'the input config' : `the input ${input}`;
  if (isEqual(applies, other))
    return `${key}: ${worded(other)} applies, as the configuration says; it is stricter than ${source}: ${worded(own)}.`;
  if (isEqual(applies, own))
    return `${key}: ${worded(own)} applies, as ${source} says; it is stricter than the configuration's ${worded(other)}.`;
  return `${key}: ${worded(applies)} applies, which the configuration (${worded(other)}) and ${source} (${worded(own)}) allow together.`;
}

/** Rules are counted, since they are long. */
function worded(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (value.some((item) => typeof item !== 'string')) return `a list of ${value.length}`;
  return value.length === 0 ? 'none' : value.join(', ');
}
