import { ConfigError } from '../contract/errors.ts';
import { type Preset, presetFrom, type SandboxMode } from '../contract/levels.ts';
import type { RunLimits } from '../contract/limits.ts';
import { type ToolProfileName, toolProfileNames } from '../contract/profile-names.ts';
import { nearestKey } from './nearest-key.ts';
import type { Config } from './schema.ts';

/** Paths of a repository's own file, best first: GitHub's folder for such files. */
export const configFiles = ['.github/anode.yml', '.github/anode.yaml', '.github/anode.json'] as const;

export const defaultMention = 'anode';
export const defaultBranchPrefix = 'anode/';
/** `anode/issue-7-20260102-030405`: the time in UTC keeps two runs on one issue apart. */
export const defaultBranchTemplate = '{{prefix}}{{entityType}}-{{entityNumber}}-{{timestamp}}';

/** Half an hour: longer than any useful run seen, shorter than a forgotten one costs. */
const defaultTimeoutSeconds = 1800;

/** Seconds for loading external tools, and for each of their calls without its own limit. */
export const defaultExternalTimeout = 60;

/** Lifetime of the link to a run's report. Long enough for a review, short for a secret link. */
export const defaultReportLinkDays = 7;

/** `triggers` with nothing left open. */
export interface TriggerConfig {
  readonly mention: string;
  /** The label that starts an implementation; '' for none. */
  readonly label: string;
  /** Verb of each label, the implementing one included. */
  readonly labels: Readonly<Record<string, LabelVerb>>;
  readonly accounts: readonly string[];
  readonly allowBots: readonly string[];
}

/**
 * Returns the response to a user without permission. Default: `comment` in a private repository,
 * whose readers were all invited, else `silent`: any stranger could make us post.
 */
export function onRefusalOf(
  { triggers }: Pick<Config, 'triggers'>,
  repository: { readonly private: boolean },
): 'silent' | 'reaction' | 'comment' {
  return triggers?.onRefusal ?? (repository.private ? 'comment' : 'silent');
}

/** The trigger words of a configuration. */
export function triggerDefaults(config: Config): TriggerConfig {
  const mention = config.triggers?.mention ?? defaultMention;
  return {
    mention,
    allowBots: config.triggers?.allowBots ?? [],
    ...labelsOf(config.triggers?.label ?? `${mention}:implement`),
    accounts: config.triggers?.accounts ?? [],
  };
}

/** The verbs that a label may start. */
type LabelVerb = Extract<NonNullable<NonNullable<Config['triggers']>['label']>, object>[string];

function labelsOf(
  label: NonNullable<NonNullable<Config['triggers']>['label']>,
): Pick<TriggerConfig, 'label' | 'labels'> {
  if (typeof label === 'string') return { label, labels: { [label]: 'implement' } };
  const implement = Object.keys(label).find((name) => label[name] === 'implement') ?? '';
  return { label: implement, labels: label };
}

/** Returns the preset of a configuration. Default: `careful`. */
export function presetOf({ permissions }: Pick<Config, 'permissions'>): Preset {
  return presetFrom(permissions?.preset ?? 'careful');
}

const strictness: readonly SandboxMode[] = ['off', 'preferred', 'required'];

/**
 * Returns the stricter of the operator's and the repository's setting. Default: `preferred`. A
 * workflow has no operator, so its runner may lack a sandbox; the run then has no command tools.
 */
export function sandboxOf(config: Config, operator: SandboxMode | null): SandboxMode {
  const configured = config.sandbox ?? operator ?? 'preferred';
  if (operator === null) return configured;
  return strictness.indexOf(configured) > strictness.indexOf(operator) ? configured : operator;
}

/** The bounds of a run; turns are left to the profile where the configuration names none. */
export function limitsOf(config: Config): RunLimits {
  return {
    max_turns: config.limits?.maxTurns ?? null,
    max_tool_calls: config.limits?.maxToolCalls ?? null,
    max_tokens: config.limits?.maxTokens ?? null,
    max_cost_usd: config.limits?.maxCostUsd ?? null,
    timeout_seconds: config.limits?.timeoutSeconds ?? defaultTimeoutSeconds,
  };
}

/** Three days: a weekend, and a day to answer. */
const defaultDeadlineHours = 72;

/** `question` with nothing left open. */
export function questionDefaults({ question }: Config): {
  readonly deadlineHours: number;
  readonly remind: boolean;
  readonly answerers: readonly string[];
} {
  return {
    deadlineHours: question?.deadlineHours ?? defaultDeadlineHours,
    remind: question?.remind ?? true,
    answerers: question?.answerers ?? [],
  };
}

/**
 * True for a branch that the default branch trusts to give instructions: by name, or by prefix if
 * the pattern ends in `*`.
 */
export function isTrustedBranch(branch: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern,
  );
}

const variable = 'ANODE_TOOL_PROFILE';

/**
 * The tool profile of a run: from the environment, which its starter controls, else the
 * configuration, else `coding`. Throws `ConfigError` for a name that is none.
 */
export function toolProfileOf(
  { tools }: Pick<Config, 'tools'>,
  environment: Readonly<Record<string, string | undefined>>,
): ToolProfileName {
  const value = environment[variable]?.trim();
  if (value === undefined || value === '') return tools?.profile ?? 'coding';
  const found = toolProfileNames.find((name) => name === value);
  if (found !== undefined) return found;
  const nearest = nearestKey(value, toolProfileNames);
  const remedy = nearest === null ? `Known: ${toolProfileNames.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new ConfigError(`${variable} is "${value}", which is not a tool profile. ${remedy}`, {
    key: variable,
  });
}

/** `context` with nothing left open but the window, which belongs to the model. */
export interface ContextBounds {
  readonly reserveTokens: number;
  readonly keepRecent: number;
  readonly compactPercent: number;
  readonly compactEnabled: boolean;
}

/** Fills in the defaults. They equal those of other agents, so a file can be reused. */
export function contextBounds(settings: Config['context']): ContextBounds {
  return {
    reserveTokens: settings?.reserveTokens ?? 16_384,
    keepRecent: settings?.keepRecent ?? 20_000,
    compactPercent: settings?.compactPercent ?? 0.85,
    compactEnabled: settings?.compactEnabled ?? true,
  };
}

/** Variables of which one enables web search: keys, and the address of a private SearXNG. */
export const searchVariables = [
  'EXA_API_KEY',
  'BRAVE_API_KEY',
  'BRAVE_SEARCH_API_KEY',
  'TAVILY_API_KEY',
  'SEARXNG_URL',
] as const;
