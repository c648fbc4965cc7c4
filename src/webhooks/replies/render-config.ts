import { limitsOf, onRefusalOf, presetOf, sandboxOf, triggerDefaults } from '../../config/defaults.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/schema.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';

/** One configuration of the merged ones. */
interface Layer {
  readonly name: string;
  readonly config: Config;
}

const operator = 'the operator';
const hidden = '(not shown)';

/** Operator keys whose values reveal nothing about the machine. */
const ofInterest = new Set([
  'model',
  'models',
  'profile',
  'limits',
  'sandbox',
  'permissions',
  'triggers',
  'review',
]);

const mostRows = 150;
const longestValue = 160;

/**
 * Renders the reply to `config`: each set key with its value and origin, strongest first, then the
 * defaults. Possible secrets and the operator's addresses are hidden.
 */
export function renderConfig(request: EventRequest, settings: DecideContext['settings']): string {
  const { configError, configLayers, facts, trustedBranch } = request;
  const files: Layer[] = [...configLayers, { name: operator, config: settings.operatorConfig }];
  const below = mergeConfig(...files.map((layer) => layer.config));
  const { config, overrides } = effectiveConfig(settings.overrides, below);
  const above = { name: settings.host === 'action' ? 'the workflow' : operator, config: overrides };
  const layers: Layer[] = [above, ...files];
  const rows = leavesOf(config)
    .map(({ path, value }) => {
      const from = origin(path, layers);
      const ours = from === operator && !ofInterest.has(path[0] ?? '');
      return { path, value: ours ? hidden : displayed(path, value), from };
    })
    // Merging creates empty lists.
    .filter(({ from }) => from !== '');
  const set = new Set(rows.map(({ path }) => path.join('.')));
  const defaults = defaultsOf(config, facts, settings)
    .filter(([key]) => ![...set].some((one) => one === key || one.startsWith(`${key}.`)))
    .map(([key, value]) => ({ path: [key], value, from: 'default' }));
  const table = [...rows, ...defaults]
    .slice(0, mostRows)
    .map(({ path, value, from }) => `| ${code(path.join('.'))} | ${code(value)} | ${cell(from)} |`);
  const by =
    trustedBranch === null ? '' : `, by the branch ${code(trustedBranch)}, which does not trust the base`;
  const left = rows.length + defaults.length - table.length;
  return [
    configError === null
      ? `Configuration of this thread${by}:`
      : `**The configuration cannot be used, so nothing is started.** ${configError.message}`,
    '',
    '| key | value | from |',
    '|---|---|---|',
    ...table,
    ...(left > 0 ? ['', `and ${left} more`] : []),
  ].join('\n');
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value)
    .filter(([, below]) => below !== undefined)
    .flatMap(([key, below]) => leavesOf(below, [...path, key]));
}

function origin(path: readonly string[], layers: readonly Layer[]): string {
  const having = layers.filter(({ config }) => at(config, path) !== undefined).map(({ name }) => name);
  // Hooks are combined; for other keys the strongest layer counts.
  return path[0] === 'hooks' ? having.join(', ') : (having[0] ?? 'default');
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    return (found as Record<string, unknown>)[key];
  }, value);
}

const secretKey = /key|token|secret|password|credential/iu;

function displayed(path: readonly string[], value: unknown): string {
  if (path[0] === 'providers' && path.at(-1) !== 'type') return hidden;
  if (path.some((key) => secretKey.test(key)) && typeof value === 'string') return hidden;
  const text = typeof value === 'string' ? value : JSON.stringify(value, withoutSource);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** Omits the origins of rules, which are for messages. */
const withoutSource = (key: string, value: unknown): unknown => (key === 'source' ? undefined : value);

function defaultsOf(
  config: Config,
  { repository }: Pick<EventRequest['facts'], 'repository'>,
  { sandbox }: DecideContext['settings'],
): [string, string][] {
  const { mention, label } = triggerDefaults(config);
  return [
    ['permissions.preset', presetOf(config)],
    ['sandbox', sandboxOf(config, sandbox)],
    ['profile', 'craft'],
    ['limits.timeoutSeconds', String(limitsOf(config).timeout_seconds)],
    ['triggers.mention', mention],
    ['triggers.label', label],
    ['triggers.onRefusal', onRefusalOf(config, repository)],
    ['review.auto', 'true'],
  ];
}

/** A bar would end a table cell, even in code. */
const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const code = (text: string): string => `\`${cell(text).replaceAll('`', "'")}\``;
