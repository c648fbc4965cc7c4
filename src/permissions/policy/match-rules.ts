import type { Json } from '../../contract/json.ts';
import type { Action } from '../../contract/levels.ts';
import { parsePattern } from '../../contract/pattern.ts';
import type { Matcher, Rule } from '../../contract/rules.ts';
import { compilePattern, patternMatches } from '../patterns/compile-pattern.ts';
import type { PolicyCall } from './policy.ts';

/**
 * One part of a call that is decided separately: a simple command, a path, a URL, or the call
 * itself.
 */
export interface Unit {
  readonly kind: 'command' | 'path' | 'url' | 'call';
  /** Texts by which a rule may allow it: exactly what would happen. Empty if no rule may. */
  readonly exact: readonly string[];
  /** Texts by which a rule may ask or reject: every form it could be written in. */
  readonly loose: readonly string[];
  /** Resolves a path argument if nothing else is known of the call. */
  readonly pathOf?: (path: string) => string;
}

/** The verdict of the rules on a unit. `to` is the program of a `delegate` rule. */
export interface RuleVerdict {
  readonly action: Action | 'delegate';
  readonly to: string | null;
  /** The rule as `describeRule` describes it. */
  readonly rule: string;
}

/** Compiled patterns of rules by source. */
export type CompiledPatterns = Map<string, (text: string) => boolean>;

const strictness: Readonly<Record<RuleVerdict['action'], number>> = {
  allow: 0,
  delegate: 1,
  ask: 2,
  reject: 3,
};

/**
 * Returns the verdict of the first matching rule, or null. A command run by another tool is matched
 * under that tool's name and as `bash`; the stricter verdict applies. Pure except for `patterns`,
 * which units of one call may share.
 */
export function matchRules(
  rules: readonly Rule[],
  call: PolicyCall,
  unit: Unit,
  patterns: CompiledPatterns = new Map(),
): RuleVerdict | null {
  const verdicts = ruledNames(call).map((tool) => firstMatch(rules, { ...call, tool }, unit, patterns));
  return verdicts.reduce((worst, next) => {
    if (worst === null || next === null) return worst ?? next;
    return strictness[next.action] > strictness[worst.action] ? next : worst;
  });
}

/** Returns the tool names under which rules and hooks match a call. */
export function ruledNames(call: Pick<PolicyCall, 'tool' | 'targets'>): string[] {
  const runs = (call.targets.commands ?? []).length > 0;
  return runs && call.tool !== 'bash' ? [call.tool, 'bash'] : [call.tool];
}

function firstMatch(
  rules: readonly Rule[],
  call: PolicyCall,
  unit: Unit,
  patterns: CompiledPatterns,
): RuleVerdict | null {
  for (const [index, rule] of rules.entries()) {
    if (!appliesTo(rule, call)) continue;
    const texts = rule.action === 'allow' ? unit.exact : unit.loose;
    // Too little is known of the call to allow it.
    if (rule.action === 'allow' && texts.length === 0) continue;
    if (!argumentsMatch(rule, call, { unit, texts }, patterns)) continue;
    return { action: rule.action, to: rule.to ?? null, rule: describeRule(rule, index) };
  }
  return null;
}

/** Returns true if some rule could restrict a command, so that unknown parts must not pass. */
export function restrictsCommands(rules: readonly Rule[], call: PolicyCall): boolean {
  return ruledNames(call).some((tool) =>
    rules.some((rule) => rule.action !== 'allow' && appliesTo(rule, { ...call, tool })),
  );
}

function appliesTo(rule: Rule, call: PolicyCall): boolean {
  const context = rule.context === 'child_run' ? 'child' : rule.context;
  if (context !== undefined && context !== call.context) return false;
  // Extensions choose tool names: a capital letter must not evade a restriction.
  const names = rule.action === 'allow' ? [call.tool] : [call.tool, call.tool.toLowerCase()];
  return names.some((name) => patternMatches(rule.tool, name));
}

/** Keys that match what a call touches, whatever the tool's argument is called. */
const unitKeys: Readonly<Record<Unit['kind'], readonly string[]>> = {
  command: ['command', 'cmd', 'script'],
  path: ['path', 'paths', 'file_path', 'file', 'files'],
  url: ['url', 'urls'],
  call: [],
};

/** Returns true for a rule about paths. */
export function namesPaths(rule: Rule): boolean {
  return Object.keys(rule.matches ?? {}).some((key) => unitKeys.path.includes(key));
}

function argumentsMatch(
  rule: Rule,
  call: PolicyCall,
  { unit, texts }: { readonly unit: Unit; readonly texts: readonly string[] },
  patterns: CompiledPatterns,
): boolean {
  const allows = rule.action === 'allow';
  const valueMatches = (matcher: Matcher, value: Json): boolean =>
    // A list is allowed as a whole, and restricted by any member.
    allows && Array.isArray(value)
      ? value.length > 0 && value.every((one) => valueMatches(matcher, one))
      : matches(matcher, value, patterns);
  return Object.entries(rule.matches ?? {}).every(([key, matcher]) => {
    if (unitKeys[unit.kind].includes(key)) return texts.some((text) => valueMatches(matcher, text));
    // A redirection is part of its command: `*` covers it, and so does `> build/*`.
    if (unit.kind === 'path' && unitKeys.command.includes(key) && call.targets.commands !== undefined)
      return texts.some((text) => valueMatches(matcher, `> ${text}`));
    if (key === 'diff') return call.diff !== undefined && valueMatches(matcher, call.diff);
    const value = call.input[key];
    if (value === undefined) return false;
    const { pathOf } = unit;
    if (pathOf === undefined || !unitKeys.path.includes(key)) return valueMatches(matcher, value);
    const resolved = eachText(value, pathOf);
    return valueMatches(matcher, resolved) || (!allows && valueMatches(matcher, value));
  });
}

/** Applies `change` to a text, or to each text of a list. */
function eachText(value: Json, change: (text: string) => string): Json {
  if (Array.isArray(value)) return value.map((one) => eachText(one, change));
  return typeof value === 'string' ? change(value) : value;
}

/**
 * A string is a pattern, an array any of its members, an object matches key by key, the rest is
 * literal.
 */
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
  const test = patterns.get(pattern) ?? compilePattern(parsePattern(pattern));
  patterns.set(pattern, test);
  return test;
}

/**
 * Describes a rule by its position from 1, its name or matcher, and its source. Examples: `rule 3
 * (deploy scripts), .github/anode.yml:14`; `rule 2 (bash, command "npm test")`.
 */
export function describeRule(rule: Rule, index: number): string {
  const matches = Object.entries(rule.matches ?? {}).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const source = rule.source === undefined ? '' : `, ${rule.source}`;
  return `rule ${index + 1} (${rule.name ?? [rule.tool, ...matches].join(', ')})${source}`;
}
