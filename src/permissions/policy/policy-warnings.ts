import { closest, distance } from 'fastest-levenshtein';
import type { Matcher, Rule } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { describeRule } from './match-rules.ts';
import { ruleCovers } from './policy-covers.ts';

/** A tool as rules can name it. */
export interface RuledTool {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Names of its arguments; null if they are not fixed. */
  readonly arguments: readonly string[] | null;
  /** Aliases of arguments with their canonical names. */
  readonly argumentAliases: Readonly<Record<string, string>>;
}

/** Keys that match what a call touches, whatever the tool's argument is called. */
const touched = 'command cmd script path paths file_path file files url urls diff'.split(' ');

/** Maximum character comparisons: a second or two. Hundreds of ordinary rules stay far below. */
const mostEffort = 1e9;

/**
 * Describes rules that can never decide: an earlier one covers them, their tool or argument does
 * not exist, or a list is empty. Reports certain cases only. Pure.
 */
export function policyWarnings(rules: readonly Rule[], tools: readonly RuledTool[]): string[] {
  const sizes = rules.map((rule) => JSON.stringify(rule).length);
  let effort = 0;
  return rules.flatMap((rule, index) => {
    // Each rule is compared with all before it, which an untrusted repository could make slow.
    effort += sizes.slice(0, index).reduce((sum, size) => sum + size * (sizes[index] ?? 0), 0);
    const shadow = () => (effort > mostEffort ? null : shadowProblem(rules, index));
    const problem = toolProblem(rule.tool, tools) ?? matchesProblem(rule, tools) ?? shadow();
    return problem === null ? [] : [`${describeRule(rule, index)}: ${problem}`];
  });
}

function shadowProblem(rules: readonly Rule[], index: number): string | null {
  const rule = rules[index];
  if (rule === undefined) return null;
  for (const [at, earlier] of rules.slice(0, index).entries()) {
    const covers = ruleCovers(earlier, rule);
    const first = describeRule(earlier, at);
    if (covers === 'always')
      return `it can never match, because ${first}, comes first and matches all its calls. Move it up, or remove it.`;
    if (covers === 'plainly')
      return `it matches almost nothing, because ${first}, comes first and allows all its calls except those that are only partly known. Move it up, or remove it.`;
  }
  return null;
}

/**
 * Returns a sentence about why a rule or hook for `tool` can never match. Null if such a tool
 * exists or may exist.
 */
export function toolProblem(tool: string, tools: readonly RuledTool[]): string | null {
  // Tools of servers are known only once these run.
  if (tool.includes('__') || tools.some(({ name }) => patternMatches(tool, name))) return null;
  const alias = tools.find(({ name, aliases }) =>
    [...aliases, name.replaceAll('.', '_')].some((one) => one.toLowerCase() === tool.toLowerCase()),
  );
  if (alias !== undefined)
    return `it can never match: rules use the name ${alias.name}, and ${tool} is an alias of it. Write ${alias.name}.`;
  const near = nearest(
    tool,
    tools.flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  const suggestion = tools.find(({ name, aliases }) => name === near || aliases.includes(near ?? ''));
  return `it can never match: there is no tool ${tool}.${suggestion === undefined ? '' : ` Did you mean ${suggestion.name}?`}`;
}

function matchesProblem(rule: Rule, tools: readonly RuledTool[]): string | null {
  const named = tools.filter(({ name }) => patternMatches(rule.tool, name));
  for (const [key, matcher] of Object.entries(rule.matches ?? {})) {
    if (matchesNothing(matcher)) return `it can never match: the list for ${key} is empty.`;
    if (touched.includes(key) || named.length === 0) continue;
    if (named.some((tool) => tool.arguments === null || tool.arguments.includes(key))) continue;
    return argumentProblem(key, rule.tool, named);
  }
  return null;
}

function argumentProblem(key: string, tool: string, named: readonly RuledTool[]): string {
  const own = named.map(({ argumentAliases }) => argumentAliases[key]).find((name) => name !== undefined);
  const suggestion = own ?? nearest(key, [...new Set(named.flatMap((one) => one.arguments ?? []))]);
  const clause =
    named.length === 1
      ? `${named[0]?.name} has no argument ${key}`
      : `no tool ${tool} has an argument ${key}`;
  return `it can never match: ${clause}.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`;
}

function matchesNothing(matcher: Matcher): boolean {
  if (Array.isArray(matcher)) return matcher.every(matchesNothing);
  return typeof matcher === 'object' && matcher !== null && Object.values(matcher).some(matchesNothing);
}

/** Returns the known word nearest to another if at most a third of its letters differ. */
function nearest(word: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null;
  const found = closest(word, [...candidates]);
  return distance(word, found) <= Math.max(1, Math.floor(word.length / 3)) ? found : null;
}
