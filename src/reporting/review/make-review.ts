import { type Severity, type SuggestionCheck, severityRank } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { HunkMap, Side } from '../diff/hunk-map.ts';
import { type Placement, placeFinding } from '../diff/place-finding.ts';
import type { Verdict } from '../findings/decide-verdict.ts';
import { fingerprintSuggestion } from '../findings/fingerprint.ts';
import type { NamedFinding, Reconciled } from '../findings/reconcile.ts';
import { coupledSuggestions } from '../suggestions/coupled-suggestions.ts';
import type { OfferedSuggestion } from '../suggestions/stored-suggestions.ts';
import { checkOf, renderOmitted, renderSuggestionCheck } from '../suggestions/suggestion-checks.ts';
import { type Suggestion, suggestionOfFinding } from '../suggestions/suggestions.ts';
import { codeBlock, maximumBody } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';
import { locationLink, renderFinding } from './render-finding.ts';
import { findingMark, renderReviewBody } from './render-review.ts';

/** One inline comment as `POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews` takes it. */
export interface ReviewComment {
  readonly path: string;
  readonly body: string;
  readonly side: Side;
  readonly line: number;
  readonly start_line?: number;
  readonly start_side?: Side;
}

export interface MadeReview {
  /** Null if there is nothing new: then no review is posted. */
  readonly review: {
    readonly event: Verdict;
    readonly body: string;
    readonly comments: readonly ReviewComment[];
  } | null;
  /** Suggestions that can be applied with a click. */
  readonly offered: readonly OfferedSuggestion[];
  /** Ids of the findings that have a comment of their own, which also shows what they suggest. */
  readonly onLines: readonly string[];
}

export interface ReviewMaterial {
  readonly plan: RunPlan;
  readonly reconciled: Reconciled;
  readonly suggestions: readonly Suggestion[];
  /** Results of trying suggested changes, including those of findings. Default: none was tried. */
  readonly checks?: readonly SuggestionCheck[];
  readonly map: HunkMap;
  readonly event: Verdict;
  /** True if the verdict is new: then a review is posted even without comments. */
  readonly verdictIsNews: boolean;
  /** False where the run broke off before it had seen everything. */
  readonly complete: boolean;
  /** The most comments that findings get; the most severe go first. */
  readonly budget: number;
  /** The least severity that gets a comment. */
  readonly threadsFrom: Severity;
  /** The address of the summary, which lists the other findings. Default: it is not known yet. */
  readonly summaryUrl?: string | null;
}

/**
 * Returns the new findings that get a comment on a line, worst first: as many as `budget`, from
 * `threadsFrom` on. The summary lists the others.
 */
export function findingsOnLines({
  reconciled,
  map,
  budget,
  threadsFrom,
}: Pick<ReviewMaterial, 'reconciled' | 'map' | 'budget' | 'threadsFrom'>): PlacedOnLine[] {
  const least = severityRank(threadsFrom);
  return reconciled.fresh
    .filter(({ finding }) => severityRank(finding.severity) >= least)
    .toSorted((a, b) => severityRank(b.finding.severity) - severityRank(a.finding.severity))
    .flatMap((one) => {
      const placement = placeFinding(one.finding, map);
      return placement.kind === 'line' ? [{ one, placement }] : [];
    })
    .slice(0, budget);
}

interface PlacedOnLine {
  readonly one: NamedFinding;
  readonly placement: Extract<Placement, { kind: 'line' }>;
}

/** Builds one review from a run's new findings, worst first, and its changes as suggestions. */
export function makeReview(material: ReviewMaterial): MadeReview {
  const { plan, map, reconciled, event, complete, summaryUrl = null, checks = [] } = material;
  const comments: SuggestingComment[] = [];
  const offered: OfferedSuggestion[] = [];
  const onLines: string[] = [];
  for (const { one, placement } of findingsOnLines(material)) {
    const made = findingComment(one, placement, { map, plan, checks });
    const { suggestion } = made;
    comments.push(made);
    onLines.push(one.id);
    if (suggestion !== null) offered.push({ id: one.id, suggestion });
  }
  const byFindings = new Set(offered.map(({ suggestion }) => placedText(suggestion)));
  const suggestions = material.suggestions.filter((one) => !byFindings.has(placedText(one)));
  const changes = suggestions.map((one) => ({
    comment: suggestionComment(one, checks),
    suggestion: one,
  }));
  for (const suggestion of suggestions) offered.push({ id: fingerprintSuggestion(suggestion), suggestion });
  const all = withPartners([...comments, ...changes], plan);
  if (all.length === 0 && !material.verdictIsNews) return { review: null, offered: [], onLines: [] };
  const listed = reconciled.fresh.length - onLines.length;
  const text = { reconciled, changes: changes.length, event, complete, listed, summaryUrl };
  const body = renderReviewBody(text, plan);
  return { review: { event, body, comments: all }, offered, onLines };
}

/** A comment, with its suggestion that can be applied with a click; null for none. */
interface SuggestingComment {
  readonly comment: ReviewComment;
  readonly suggestion: Suggestion | null;
}

/** Maximum other suggestions that a comment names. */
const mostPartners = 5;

/** Adds to each comment the places of the suggestions that have to be applied with its own. */
function withPartners(comments: readonly SuggestingComment[], plan: RunPlan): ReviewComment[] {
  const coupled = coupledSuggestions(
    comments.map(({ suggestion }) => suggestion).filter((one) => one !== null),
  );
  return comments.map(({ comment, suggestion }) => {
    const partners = suggestion === null ? [] : (coupled.get(suggestion) ?? []);
    if (partners.length === 0) return comment;
    const links = partners
      .slice(0, mostPartners)
      .map(({ path, firstLine, lastLine }) =>
        locationLink({ path, line: lastLine, side: 'RIGHT', ...from(firstLine, lastLine) }, plan),
      );
    const more = partners.length > links.length ? [`${partners.length - links.length} more`] : [];
    const body = `${comment.body}\n\nApply together with the suggestion on ${[...links, ...more].join(', ')}.`;
    return body.length > maximumBody ? comment : { ...comment, body };
  });
}

const from = (first: number, last: number) => (first === last ? {} : { start_line: first });

function findingComment(
  { id, finding }: NamedFinding,
  placement: Extract<Placement, { kind: 'line' }>,
  { map, plan, checks = [] }: Pick<ReviewMaterial, 'map' | 'plan' | 'checks'>,
): SuggestingComment {
  const own = suggestionOfFinding(finding, placement, map);
  const { suggestion: _, ...plain } = finding;
  const check = own.kind === 'suggestion' ? checkOf(own.suggestion, checks) : null;
  const context = {
    statedLine: placement.statedLine,
    applicable: own.kind === 'suggestion',
    checked: renderSuggestionCheck(check),
    omitted: renderOmitted(check),
  };
  const dropped = own.kind === 'none' || check?.result === 'failed';
  const mark = findingMark({ id, finding });
  const full = `${mark}\n${renderFinding(dropped ? plain : finding, context, plan)}`;
  const fits = full.length <= maximumBody;
  const comment = {
    path: placement.path,
    body: fits ? full : `${mark}\n${renderFinding(plain, context, plan)}`,
    ...lines(placement.side, placement.startLine ?? placement.line, placement.line),
  };
  const isOffered = fits && own.kind === 'suggestion' && !dropped;
  return { comment, suggestion: isOffered ? own.suggestion : null };
}

/** Returns the lines and the new text of a suggestion: two that are equal would do the same. */
const placedText = ({ path, firstLine, lastLine, after }: Suggestion): string =>
  JSON.stringify([path, firstLine, lastLine, after]);

/** Renders the block of a suggestion, which is the same for a finding and for a change. */
export const suggestionBlock = ({ after }: Pick<Suggestion, 'after'>): string =>
  codeBlock(after.map((line) => `${line}\n`).join(''), 'suggestion');

function suggestionComment(suggestion: Suggestion, checks: readonly SuggestionCheck[]): ReviewComment {
  const mark = writeMarker('finding', { fp: fingerprintSuggestion(suggestion) });
  const checked = renderSuggestionCheck(checkOf(suggestion, checks));
  return {
    path: suggestion.path,
    body: `${mark}\n${suggestionBlock(suggestion)}${checked === '' ? '' : `\n\n${checked}`}`,
    ...lines('RIGHT', suggestion.firstLine, suggestion.lastLine),
  };
}

function lines(side: Side, first: number, last: number): Omit<ReviewComment, 'path' | 'body'> {
  return first < last ? { side, line: last, start_line: first, start_side: side } : { side, line: last };
}
