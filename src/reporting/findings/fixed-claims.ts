/** The request for the line that `splitClaims` reads. */
export const claimRequest =
  'End your last message with one line: `Fixed:` and the ids of the findings that you fixed, with commas between, or `none`.';

const claims = /^[\s>*_-]*Fixed:[\s*_]*(.*)$/gimu;
const ids = /\b[0-9a-f]{16}(?:-\d{1,3})?\b/gu;

/**
 * Separates the answer of a run from its line of fixed findings, null without one. A claim proves
 * nothing by itself. Other lines that begin so stay in the answer.
 */
export function splitClaims(answer: string): {
  readonly answer: string;
  readonly claimed: ReadonlySet<string> | null;
} {
  const last = [...answer.matchAll(claims)].at(-1);
  const list = last?.[1] ?? '';
  const named = list.match(ids) ?? [];
  const isList = last !== undefined && (named.length > 0 || /^`?none`?\W*$/iu.test(list));
  if (!isList) return { answer, claimed: null };
  const rest = answer.slice(0, last.index) + answer.slice(last.index + last[0].length);
  return { answer: rest.trim(), claimed: new Set(named) };
}
