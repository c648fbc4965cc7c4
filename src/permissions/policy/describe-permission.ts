import type { Rule } from '../../contract/rules.ts';

/** What a rule of a grant allows, in words: `every call of bash whose command is "npm publish*"`. */
export function describePermission(rule: Rule): string {
  const conditions = Object.entries(rule.matches ?? {}).map(
    ([key, matcher]) => `${key} matches ${JSON.stringify(matcher)}`,
  );
  return conditions.length === 0
    ? `every call of ${rule.tool}`
    : `each call of ${rule.tool} whose ${conditions.join(' and ')}`;
}
