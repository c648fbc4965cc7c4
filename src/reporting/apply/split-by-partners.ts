import type { PostedSuggestion } from '../../contract/review-record.ts';
import type { coupledSuggestions } from '../suggestions/coupled-suggestions.ts';
import { codeSpan } from '../text/markdown.ts';
import type { FittedFile, UnfitSuggestion } from './fit-suggestions.ts';

/**
 * Leaves out open suggestions that have to be applied with one that is neither open and fitting nor
 * in the files already. `tried` fits all suggestions of the run, open or not.
 */
export function splitByPartners(
  suggestions: readonly PostedSuggestion[],
  open: ReadonlySet<string>,
  coupled: ReturnType<typeof coupledSuggestions<PostedSuggestion>>,
  tried: readonly FittedFile[],
): { readonly offered: readonly PostedSuggestion[]; readonly left: readonly UnfitSuggestion[] } {
  const isThere = tried.flatMap(({ left }) => left.filter((one) => one.isThere === true));
  const met = new Set([
    ...isThere.map(({ suggestion }) => suggestion),
    ...tried.flatMap(({ applied }) => applied).filter(({ id }) => open.has(id)),
  ]);
  const left: UnfitSuggestion[] = [];
  const lacking = (one: PostedSuggestion) => coupled.get(one)?.find((other) => !met.has(other));
  // One that is left out leaves out those that need it.
  for (let before = -1; before !== met.size; ) {
    before = met.size;
    for (const one of met) {
      const partner = open.has(one.id) ? lacking(one) : undefined;
      if (partner === undefined) continue;
      met.delete(one);
      const place = codeSpan(`${partner.path}:${partner.first_line}`);
      left.push({ suggestion: one, why: `it belongs together with the one on ${place}` });
    }
  }
  const omitted = new Set(left.map(({ suggestion }) => suggestion));
  return { offered: suggestions.filter((one) => open.has(one.id) && !omitted.has(one)), left };
}
