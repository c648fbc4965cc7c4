import type { Json } from '../../contract/json.ts';
import type { Action } from '../../contract/levels.ts';
import { type Matcher, parsePattern, type Rule } from '../../contract/rules.ts';
import { compilePattern, patternMatches } from '../patterns/compile-pattern.ts';
import type { GateCall } from './policy.ts';

/** One thing that a call touches, decided on its own: a simple command, a path, a URL, or the call itself. */
export interface Unit {
  readonly kind: 'command' | 'path' | 'url' | 'call';
  /** The texts by which a rule may allow it: exactly what would happen. Empty when no rule may. */
  readonly exact: readonly string[];
  /** The texts by which a rule may ask or reject: every form it could be written in. */
  readonly loose: readonly string[];
  /** What a path means that an argument names, where nothing else is known of the call. */
  readonly pathOf?: (path: string) => string;
}

/** What the rules say of a unit; `to` is the program a `delegate` rule asks. */
export interface RuleVerdict {
  readonly action: Action | 'delegate';
  readonly to: string | null;
  /** The rule in words, as `describeRule` has them. */
  readonly rule: string;
}

/** Patterns of rules, by what is written, as tests of a text. */
export type CompiledPatterns = Map<string, (text: string) => boolean>;

const strictness: Readonly<Record<RuleVerdict['action'], number>> = {
  allow: 0,
  delegate: 1,
  ask: 2,
  reject: 3,
};

/**
 * The verdict of the first rule that matches, or null where none does. A command that another tool runs is
 * judged under its own name and as one of `bash`; the stricter verdict holds. Pure, but for the patterns it
 * compiles: units of one call may share them.
 */
export function matchRules(
  rules: readonly Rule[],
  call: GateCall,
  unit: Unit,
  patterns: CompiledPatterns = new Map(),
): RuleVerdict | null {
  const verdicts = ruledNames(call).map((tool) => firstMatch(rules, { ...call, tool }, unit, patterns));
  return verdicts.reduce((worst, next) => {
    if (worst === null || next === null) return worst ?? next;
    return strictness[next.action] > strictness[worst.action] ? next : worst;
  });
}

/** The names under which rules and hooks judge a call. */
export function ruledNames(call: Pick<GateCall, 'tool' | 'targets'>): string[] {
  const runs = (call.targets.commands ?? []).length > 0;
  return runs && call.tool !== 'bash' ? [call.tool, 'bash'] : [call.tool];
}

function firstMatch(
  rules: readonly Rule[],
  call: GateCall,
  unit: Unit,
  patterns: CompiledPatterns,
): RuleVerdict | null {
  for (const [index, rule] of rules.entries()) {
    if (!appliesTo(rule, call)) continue;
    const texts = rule.action === 'allow' ? unit.exact : unit.loose;
    // Nothing of the call is known well enough for an allowance.
    if (rule.action === 'allow' && texts.length === 0) continue;
    if (!argumentsMatch(rule, call, unit, texts, patterns)) continue;
    return { action: rule.action, to: rule.to ?? null, rule: describeRule(rule, index) };
  }
  return null;
}

/** True when some rule could hold back a command, so that what cannot be seen may not pass by silence. */
export function holdsBackCommands(rules: readonly Rule[], call: GateCall): boolean {
  return ruledNames(call).some((tool) =>
    rules.some((rule) => rule.action !== 'allow' && appliesTo(rule, { ...call, tool })),
  );
}

function appliesTo(rule: Rule, call: GateCall): boolean {
  const context = rule.context === 'child_run' ? 'child' : rule.context;
  if (context !== undefined && context !== call.context) return false;
  // Others name their tools as they please: none gets by what holds it back by a capital letter.
  const names = rule.action === 'allow' ? [call.tool] : [call.tool, call.tool.toLowerCase()];
  return names.some((name) => patternMatches(rule.tool, name));
}

/** Keys that stand for what a call touches, however the tool itself names its argument. */
const unitKeys: Readonly<Record<Unit['kind'], readonly string[]>> = {
  command: ['command', 'cmd', 'script'],
  path: ['path', 'paths', 'file_path', 'file', 'files'],
  url: ['url', 'urls'],
  call: [],
};

/** True for a rule that is about paths, by whatever name. */
export function namesPaths(rule: Rule): boolean {
  return Object.keys(rule.matches ?? {}).some((key) => unitKeys.path.includes(key));
}

function argumentsMatch(
  rule: Rule,
  call: GateCall,
  unit: Unit,
  texts: readonly string[],
  patterns: CompiledPatterns,
): boolean {
  const allows = rule.action === 'allow';
  const valueMatches = (matcher: Matcher, value: Json): boolean =>
    // A list is allowed as a whole, and held back by any of its members.
    allows && Array.isArray(value)
      ? value.length > 0 && value.every((one) => valueMatches(matcher, one))
      : matches(matcher, value, patterns);
  return Object.entries(rule.matches ?? {}).every(([key, matcher]) => {
    if (unitKeys[unit.kind].includes(key)) return texts.some((text) => valueMatches(matcher, text));
    // A redirection is part of the command it stands in: `*` covers it, and so does `> build/*`.
    if (unit.kind === 'path' && unitKeys.command.includes(key) && call.targets.commands !== undefined)
      return texts.some((text) => valueMatches(matcher, `> ${text}`));
    if (key === 'diff') return call.diff !== undefined && valueMatches(matcher, call.diff);
    const value = call.input[key];
    if (value === undefined) return false;
    const { pathOf } = unit;
    if (pathOf === undefined || !unitKeys.path.includes(key)) return valueMatches(matcher, value);
    const meant = eachText(value, pathOf);
    return valueMatches(matcher, meant) || (!allows && valueMatches(matcher, value));
  });
}

/** A text, or each of a list, as `change` has it. */
function eachText(value: Json, change: (text: string) => string): Json {
  if (Array.isArray(value)) return value.map((one) => eachText(one, change));
  return typeof value === 'string' ? change(value) : value;
}

/** A string is a pattern, an array any of its members, an object matches key by key, the rest is literal. */
function matches(matcher: Matcher, value: Json, patterns: CompiledPatterns): boolean {
  if (Array.isArray(matcher)) return matcher.some((one) => matches(one, value, patterns));
  if (Array.isArray(value)) return value.some((one) => matches(matcher, one, patterns));
  if (typeof matcher === 'string')
    return typeof value === 'string' ? compiled(matcher, patterns)(value) : matcher === String(value);
  if (matcher === null || typeof matcher !== 'object') return matcher === value;
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(matcher).every(([key, inner]) => {
    const found = value[key];
    return found !== undefined && matches(inner, found, patterns);
  });
}

function compiled(pattern: string, patterns: CompiledPatterns): (text: string) => boolean {
  const known = patterns.get(pattern) ?? compilePattern(parsePattern(pattern));
  patterns.set(pattern, known);
  return known;
}

/**
 * A rule in words: its place in the list from 1, its name or else what it matches, and where it was read from:
 * `rule 3 (deploy scripts), .github/anode.yml:14`, `rule 2 (bash, command "npm test")`.
 */
export function describeRule(rule: Rule, index: number): string {
  const matches = Object.entries(rule.matches ?? {}).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const place = rule.source === undefined ? '' : `, ${rule.source}`;
  return `rule ${index + 1} (${rule.name ?? [rule.tool, ...matches].join(', ')})${place}`;
}

/** What a rule of a grant allows, in words: `every call of bash whose command is "npm publish*"`. */
export function describePermission(rule: Rule): string {
  const conditions = Object.entries(rule.matches ?? {}).map(
    ([key, matcher]) => `${key} matches ${JSON.stringify(matcher)}`,
  );
  return conditions.length === 0
    ? `every call of ${rule.tool}`
    : `each call of ${rule.tool} whose ${conditions.join(' and ')}`;
}
