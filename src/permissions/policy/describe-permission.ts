import type { Rule } from '../../contract/rules.ts';

/**
 * Describes what a grant's rule allows: `every call of bash whose command is "npm publish*"`. Apart
 * from the matching of rules, which a report does not load.
 */
export function describePermission(rule: Rule): string {
  const conditions = Object.entries(rule.matches ?? {}).map(
    ([key, matcher]) => `${key} matches ${JSON.stringify(matcher)}`,
  );
  return conditions.length === 0
    ? `every call of ${rule.tool}`
    : `each call of ${rule.tool} whose ${conditions.join(' and ')}`;
}
