import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { createHunkMap } from '../diff/hunk-map.ts';
import { placeFinding } from '../diff/place-finding.ts';
import { reportableFindings } from '../findings/reportable-findings.ts';
import { nameSuggestion } from '../suggestions/suggestion-checks.ts';
import { type Suggestion, suggestFromPatch, suggestionOfFinding } from '../suggestions/suggestions.ts';

/** A change that may be suggested. */
export interface SuggestionToTry extends Suggestion {
  /** True for a part of the run's own edit of the tree, which may need its other parts. */
  readonly edit: boolean;
}

/** Returns the changes that an outcome may suggest, each once, findings' changes first. */
export function suggestionsToTry(
  { findings, changes, approvals }: Pick<Outcome, 'findings' | 'changes' | 'approvals'>,
  plan: Pick<RunPlan, 'push'>,
  pullRequestDiff: string,
  settings: NonNullable<Config['review']>,
): SuggestionToTry[] {
  const map = createHunkMap(pullRequestDiff);
  const own = reportableFindings(findings, settings, map).flatMap((finding) => {
    const placement = placeFinding(finding, map);
    if (placement.kind !== 'line') return [];
    const made = suggestionOfFinding(finding, placement, map);
    return made.kind === 'suggestion' ? [{ ...made.suggestion, edit: false }] : [];
  });
  const edited = plan.push.kind === 'none' ? suggestFromPatch(changes.patch, map).suggestions : [];
  const waiting = approvals.flatMap(({ diff = '' }) => suggestFromPatch(diff, map).suggestions);
  const all = [...own, ...[...edited, ...waiting].map((one) => ({ ...one, edit: true }))];
  return [...new Map(all.map((one) => [JSON.stringify(nameSuggestion(one)), one])).values()];
}
