import type { Matcher, Rule } from '../../contract/rules.ts';
import { patternMatches } from '../patterns/compile-pattern.ts';

/**
 * Whether an earlier rule matches whatever a later one would, so that the later one can never decide: `always`, or
 * `plainly` where calls that are known in part only are left to it, since an allowance looks at what would
 * happen exactly, and the other actions at every form it could be written in. Null also where that is not certain.
 * Pure.
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

/** What a word in a rule can match besides a text: `true` of a rule is also the value true. */
const otherLiteral = /^(true|false|null|\[object Object\]|-?(Infinity|[\d.]+(e[+-]?\d+)?))$/;

function isObject(value: Matcher): value is { [key: string]: Matcher } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isRegex = (pattern: string) => /^\/.+\/[imsu]*$/s.test(pattern);

/** Stands for what a star of the narrower glob could be: only a star of the wider one takes that. */
const anything = '\uE000';

/** True when every text that the narrow pattern matches is matched by the wide one; false where not certain. */
function patternCovers(wide: string, narrow: string): boolean {
  if (wide === narrow || /^\*+$/.test(wide)) return true;
  if (isRegex(narrow)) return false;
  if (isRegex(wide)) return !/[*?]/.test(narrow) && patternMatches(wide, narrow);
  if (wide.includes('?') || wide.includes(anything)) return false;
  const forms = narrow.endsWith(' *') ? [narrow.slice(0, -2), narrow] : [narrow];
  return forms.every((form) => patternMatches(wide, form.replaceAll(/[*?]/g, anything)));
}
