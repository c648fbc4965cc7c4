import type { Grant } from '../../contract/decision.ts';
import type { Rule } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';
import { describeRule, matchRules, type Unit } from '../policy/match-rules.ts';
import type { PolicyCall } from '../policy/policy.ts';
import { ruleCovers } from '../policy/policy-covers.ts';

/**
 * Returns the grant that lifts an `ask` for a part of a call, or null. A grant covers only the tool
 * it names and only exactly known parts. Call it after everything that rejects. Pure.
 */
export function grantFor(grants: readonly Grant[], call: PolicyCall, unit: Unit): Grant | null {
  for (const grant of grants) {
    const rules = grant.permissions.filter(
      (rule) => rule.action === 'allow' && namesOneTool(rule.tool) && rule.tool === call.tool,
    );
    if (rules.length > 0 && matchRules(rules, call, unit)?.action === 'allow') return grant;
  }
  return null;
}

/** Returns false for a pattern, which could match unforeseen tools. */
export function namesOneTool(tool: string): boolean {
  return !/[*?]/.test(tool) && !tool.startsWith('/');
}

/**
 * Returns the rule, described, that rejects everything a permission would allow, which makes a
 * request pointless. Null if uncertain, as when an earlier rule asks about some of the calls. Pure.
 */
export function rejectedAnyway(permission: Rule, rules: readonly Rule[]): string | null {
  for (const [index, rule] of rules.entries()) {
    if (rule.action === 'ask' && patternMatches(rule.tool, permission.tool)) return null;
    if (rule.action === 'reject' && ruleCovers(rule, permission) !== null) return describeRule(rule, index);
  }
  return null;
}
