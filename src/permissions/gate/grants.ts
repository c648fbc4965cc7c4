import type { Grant } from '../../contract/decision.ts';
import type { Rule } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { describeRule, matchRules, type Unit } from '../policy/match-rules.ts';
import type { GateCall } from '../policy/policy.ts';
import { ruleCovers } from '../policy/policy-covers.ts';

/**
 * The grant that lifts the question about a part of a call, or null. A grant holds for the tool it names and no
 * other, and only for what is known exactly; it is asked after everything that refuses has had its say. Pure.
 */
export function grantFor(grants: readonly Grant[], call: GateCall, unit: Unit): Grant | null {
  for (const grant of grants) {
    const rules = grant.permissions.filter(
      (rule) => rule.action === 'allow' && namesOneTool(rule.tool) && rule.tool === call.tool,
    );
    if (rules.length > 0 && matchRules(rules, call, unit)?.action === 'allow') return grant;
  }
  return null;
}

/** False for a pattern, which could name tools that nobody thought of. */
export function namesOneTool(tool: string): boolean {
  return !/[*?]/.test(tool) && !tool.startsWith('/');
}

/**
 * The rule, in words, that rejects all that a permission would allow, so that a person would be asked for nothing; null
 * where that is not certain, as where a rule before it asks about some of the same calls. Pure.
 */
export function rejectedAnyway(permission: Rule, rules: readonly Rule[]): string | null {
  for (const [index, rule] of rules.entries()) {
    if (rule.action === 'ask' && patternMatches(rule.tool, permission.tool)) return null;
    if (rule.action === 'reject' && ruleCovers(rule, permission) !== null) return describeRule(rule, index);
  }
  return null;
}
