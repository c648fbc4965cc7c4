import type { Matcher, Rule } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';

/**
 * Returns whether an earlier rule makes a later one useless. `always`: it matches whatever the
 * later one would. `plainly`: except for calls that are known in part only, since an allowance
 * needs exact texts and other actions match every form. Null if uncertain. Pure.
 */
export function ruleCovers(earlier: Rule, later: Rule): 'always' | 'plainly' | null {
  const context = contextOf(earlier);
  if (context !== undefined && context !== contextOf(later)) return null;
  if (!patternCovers(earlier.tool, later.tool)) return null;
  const wanted = later.matches ?? {};
  const all = Object.entries(earlier.matches ?? {}).every(([key, matcher]) => {
    const narrower = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    return narrower !== undefined && matcherCovers(matcher, narrower);
  });
  if (!all) return null;
  return earlier.action === 'allow' && later.action !== 'allow' ? 'plainly' : 'always';
}

function contextOf({ context }: Rule): 'main' | 'child' | undefined {
  return context === 'child_run' ? 'child' : context;
}

function matcherCovers(wide: Matcher, narrow: Matcher): boolean {
  if (Array.isArray(narrow)) return narrow.every((one) => matcherCovers(wide, one));
  if (Array.isArray(wide)) return wide.some((one) => matcherCovers(one, narrow));
  if (typeof wide === 'string' && typeof narrow === 'string')
    return wide === narrow || (patternCovers(wide, narrow) && !otherLiteral.test(narrow));
  if (isObject(wide) && isObject(narrow))
    return Object.entries(wide).every(([key, inner]) => {
      const other = Object.hasOwn(narrow, key) ? narrow[key] : undefined;
      return other !== undefined && matcherCovers(inner, other);
    });
  if (isObject(wide) || isObject(narrow)) return false;
  return wide === narrow || wide === String(narrow);
}

/** Texts in a rule that also match other values: `true` matches the value true. */
const otherLiteral = /^(true|false|null|\[object Object\]|-?(Infinity|[\d.]+(e[+-]?\d+)?))$/;

function isObject(value: Matcher): value is { [key: string]: Matcher } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isRegex = (pattern: string) => /^\/.+\/[imsu]*$/s.test(pattern);

/** Stands for the text of a star in the narrower glob; only a star of the wider one matches it. */
const anything = '\uE000';

/**
 * Returns true if the wide pattern matches every text that the narrow one does. False if uncertain.
 */
function patternCovers(wide: string, narrow: string): boolean {
  if (wide === narrow || /^\*+$/.test(wide)) return true;
  if (isRegex(narrow)) return false;
  if (isRegex(wide)) return !/[*?]/.test(narrow) && patternMatches(wide, narrow);
  if (wide.includes('?') || wide.includes(anything)) return false;
  const forms = narrow.endsWith(' *') ? [narrow.slice(0, -2), narrow] : [narrow];
  return forms.every((form) => patternMatches(wide, form.replaceAll(/[*?]/g, anything)));
}
