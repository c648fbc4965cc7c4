import { type Finding, severityRank } from '../../contract/findings.ts';
import { normaliseWords } from '../../contract/normalise-words.ts';
import { isReportedBy } from './fingerprint.ts';

/**
 * Share of the shorter text's words from which two remarks on the same lines say the same. Of pairs
 * about the same issue of 34 pull requests, 43% reach it; of pairs about two issues 2%.
 */
const sameShare = 0.5;
/** Fewer words prove nothing. */
const leastShared = 3;

/** Words without a meaning of their own. */
const fillers = new Set(
  'a an and are as at be but by can could does for from has have if in into is it its may might not of on only or should so than that the their then there this to was when which while will with would'.split(
    ' ',
  ),
);

/**
 * True if two findings of one run are one: overlapping lines, and most words in common. A check
 * knows its own findings apart. Pure.
 */
export function isSameClaim(one: Finding, other: Finding): boolean {
  if (one.check !== undefined && other.check !== undefined) return false;
  if (one.check !== undefined && isReportedBy([one], other)) return true;
  if (other.check !== undefined && isReportedBy([other], one)) return true;
  return overlap(one, other) && isSameText(textOf(one), textOf(other));
}

/** True if two texts have most words in common, whichever is longer. Pure. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [contentWords(one), contentWords(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared >= leastShared && shared >= sameShare * Math.min(a.size, b.size);
}

/**
 * Makes one finding of each group that says the same, in the order of the first. A check's finding
 * stays what it is, else the more severe one. It gets the highest severity and all categories.
 * Pure.
 */
export function mergeClaims(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = [];
  for (const finding of findings) {
    const at = merged.findIndex((other) => isSameClaim(finding, other));
    const before = merged[at];
    if (before === undefined) merged.push(finding);
    else merged[at] = mergeTwo(before, finding);
  }
  return merged;
}

function mergeTwo(before: Finding, finding: Finding): Finding {
  const isWorse = severityRank(finding.severity) > severityRank(before.severity);
  const replaces = finding.check !== undefined || (isWorse && before.check === undefined);
  const [kept, other] = replaces ? [finding, before] : [before, finding];
  const known = categoriesOf(kept.category);
  const more = other.category.split(separator).filter((one) => !known.has(normaliseWords(one)));
  return {
    ...kept,
    severity: isWorse ? finding.severity : before.severity,
    category: [kept.category, ...more].join(separator),
  };
}

const separator = ' / ';

/** True if two findings have a category in common: one has several if two remarks became one. */
export function sharesCategory(one: string, other: string): boolean {
  const known = categoriesOf(other);
  return [...categoriesOf(one)].some((category) => known.has(category));
}

const categoriesOf = (category: string): ReadonlySet<string> =>
  new Set(category.split(separator).map(normaliseWords));

function overlap(one: Finding, other: Finding): boolean {
  const isHere = one.path === other.path && one.side === other.side;
  return isHere && firstOf(one) <= other.line && firstOf(other) <= one.line;
}

const firstOf = ({ start_line, line }: Finding): number => start_line ?? line;
const textOf = ({ title, body }: Finding): string => `${title} ${body}`;

/** Returns the words of a text that have a meaning, without their endings. */
export function contentWords(text: string): Set<string> {
  const words = normaliseWords(text).split(' ');
  return new Set(words.filter((word) => word.length > 1 && !fillers.has(word)).map(withoutEnding));
}

/** Removes the ending of a word, so that its forms count as one. */
function withoutEnding(word: string): string {
  const ending = ['ing', 'ed', 'es', 's'].find((one) => word.endsWith(one) && word.length - one.length >= 4);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
