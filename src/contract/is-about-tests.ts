import type { Finding } from './findings.ts';
import { normaliseWords } from './normalise-words.ts';

const aboutTests =
  /\b(?:untested|test coverage|(?:no|missing|lacks?|lacking|without|needs?|add) (?:\w+ ){0,3}tests?)\b/u;

/**
 * True for a finding that tests are missing. Other files than its own can settle it, so its lines
 * may never change. Pure.
 */
export function isAboutTests({ category, title }: Pick<Finding, 'category' | 'title'>): boolean {
  return /^tests?\b|^testing\b/u.test(normaliseWords(category)) || aboutTests.test(normaliseWords(title));
}
