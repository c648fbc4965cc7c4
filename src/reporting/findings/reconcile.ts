import { type Finding, severityRank } from '../../contract/findings.ts';
import { isAboutTests } from '../../contract/is-about-tests.ts';
import { normaliseWords } from '../../contract/normalise-words.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { cutText } from '../text/markdown.ts';
import { fingerprintContext } from './fingerprint.ts';
import {
  contextOf,
  type LineContext,
  type LineSource,
  type LineStatus,
  lineStatusOf,
} from './line-context.ts';
import { isSameText, mergeClaims, sharesCategory } from './same-claim.ts';

/** A finding of this run, with its id. */
export interface NamedFinding {
  readonly id: string;
  readonly finding: Finding;
}

export interface ReconcileFacts {
  readonly runId: string;
  readonly findings: readonly Finding[];
  /** Findings reported before, with their current paths. */
  readonly previous: readonly PreviousFinding[];
  readonly source: LineSource;
  /** Ids on GitHub from other runs, including unknown findings. No other finding may use them. */
  readonly usedIds?: ReadonlySet<string>;
  /**
   * Ids that were dismissed since, with who did it. `readDismissals` finds them on GitHub: resolved
   * threads, 👎 and answers such as "won't fix".
   */
  readonly dismissed: ReadonlyMap<string, string>;
  /**
   * The evidence that an open finding is fixed. `review`: a complete review was asked about it
   * (`requested`) and did not report it, though its lines changed. `text`: its lines were deleted,
   * or only changed with `changed`, and no model looked at them. `none`: the run broke off or did
   * something else.
   */
  readonly evidence:
    | { readonly kind: 'review'; readonly requested: ReadonlySet<string> }
    | { readonly kind: 'text'; readonly changed: boolean }
    | { readonly kind: 'none' };
  /**
   * Reasons by ids of open findings that a review of later changes ended. Counts as evidence of a
   * review only. Default: none.
   */
  readonly closed?: ReadonlyMap<string, string>;
  /** Returns true for a file that the pull request no longer changes. Default: for none. */
  readonly isOutside?: (finding: PreviousFinding) => boolean;
  /**
   * Checks that covered the whole pull request. Earlier findings of theirs that are missing now are
   * fixed.
   */
  readonly checks: ReadonlySet<string>;
}

/** A run's findings, compared with the earlier ones. */
export interface Reconciled {
  /** Findings to report now, including those that are back after a fix. */
  readonly fresh: readonly NamedFinding[];
  /** Reported before and open still, whether this run reports them again or not. In the diff. */
  readonly carried: readonly PreviousFinding[];
  /** Open until this run. The commit that fixed them is for the caller to find. */
  readonly fixed: readonly PreviousFinding[];
  /** Fixed since the last review by commits that a run of ours named already. Default: none. */
  readonly fixedBefore?: readonly PreviousFinding[];
  /**
   * Not reported and not counted: dismissed since (`dismissed` of the facts), or earlier, as the
   * record says (`dismissFinding` and earlier reviews).
   */
  readonly dismissed: readonly PreviousFinding[];
  /** Findings of this run that were reported or dismissed before. */
  readonly repeated: readonly Finding[];
  /** All findings after this run, for the record; `fixed` has no commit yet. */
  readonly known: readonly PreviousFinding[];
}

/**
 * Sorts findings into new, carried, fixed and dismissed. Pure. Findings that an earlier attempt of
 * this run reported count as new.
 */
export function reconcile(facts: ReconcileFacts): Reconciled {
  const { runId, source, dismissed } = facts;
  const before = facts.previous
    .filter((previous) => previous.run_id !== runId)
    .map((previous) => {
      const by = previous.state === 'open' ? dismissed.get(previous.id) : undefined;
      const state =
        by === undefined ? previous : { ...previous, state: 'dismissed' as const, dismissed_by: by };
      return { previous: state, status: lineStatusOf(previous, source) };
    });
  const found = distinctFindings(facts.findings, source);
  const matched = matchFindings(found, before);
  const byPrevious = new Map([...matched].map(([index, at]) => [at, found[index]]));
  const others = found.filter((_, index) => !matched.has(index));
  const after = before.map((one, at): PreviousFinding => {
    const again = byPrevious.get(at);
    const moved = movedFinding(one, again);
    if (again !== undefined) return moved;
    if (isOutside(one, facts)) return { ...moved, outside: true };
    const reason = closingReason(one, facts);
    const fixed = reason === null ? null : { sha: null, run_id: runId, reason };
    if (fixed !== null) return { ...moved, state: 'fixed', fixed };
    return isFixed(one, others, facts) ? { ...moved, state: 'fixed' } : moved;
  });

  const isNew = (at: number | undefined) => at === undefined || after[at]?.state === 'fixed';
  const fresh = named(
    found.filter((_, index) => isNew(matched.get(index))),
    new Set([...(facts.usedIds ?? []), ...after.map(({ id }) => id)]),
  );
  return {
    fresh: fresh.map(({ id, finding }) => ({ id, finding })),
    carried: after.filter(({ state, outside }) => state === 'open' && outside !== true),
    fixed: after.filter(({ state }, at) => state === 'fixed' && before[at]?.previous.state === 'open'),
    dismissed: after.filter(({ state }) => state === 'dismissed'),
    repeated: found.flatMap((one, index) => (isNew(matched.get(index)) ? [] : [one.finding])),
    // A finding that is back is open under its new id only.
    known: [
      ...after.filter(({ state }, at) => state !== 'fixed' || !byPrevious.has(at)),
      ...fresh.map((one) => toPrevious(one, runId)),
    ],
  };
}

/**
 * Returns an earlier finding with its current lines and this run's severity. Its text stays that of
 * its conversation; without one, it is this run's.
 */
function movedFinding(
  { previous, status }: LocatedFinding,
  again: PlacedFinding | undefined,
): PreviousFinding {
  const line = 'line' in status ? status.line : previous.line;
  const { outside: _, ...known } = previous;
  const here = { ...known, ...linesAt(previous, line) };
  // A suggestion fits only the lines that it was made for.
  if (again === undefined) return status.kind === 'untouched' ? here : { ...here, suggestion: undefined };
  const text = previous.folded === true ? textOf(again.finding) : {};
  // The next run looks for the current text.
  const misplaced = status.kind === 'untouched' && again.context.anchor !== previous.anchor;
  return misplaced
    ? { ...here, severity: again.finding.severity }
    : { ...known, shift: undefined, ...again.context, ...text, ...nowOf(again.finding) };
}

/** Returns the lines of a finding whose last line is another one now. */
function linesAt({ line: before, start_line }: PreviousFinding, line: number) {
  return start_line === undefined ? { line } : { line, start_line: Math.max(1, start_line + line - before) };
}

/** Returns the texts of a finding that are stored. */
function textOf({ title, body, category, suggestion }: Finding) {
  const stored = { title, category, body: cutText(body, longestText, '…') };
  // A suggestion that is cut would be wrong.
  const isShort = suggestion !== undefined && suggestion.length <= longestText;
  return { ...stored, suggestion: isShort ? suggestion : undefined };
}

/** Returns why a review ended an open finding of a model by its id; null if it did not. */
function closingReason({ previous }: LocatedFinding, { evidence, closed }: ReconcileFacts): string | null {
  const isOpen = previous.state === 'open' && previous.check === null;
  return isOpen && evidence.kind === 'review' ? (closed?.get(previous.id) ?? null) : null;
}

/** True for an open finding whose code stays, but which the pull request no longer changes. */
function isOutside({ previous, status }: LocatedFinding, facts: ReconcileFacts): boolean {
  if (previous.state !== 'open' || facts.isOutside?.(previous) !== true) return false;
  // Lines of the old file are known from the diff alone.
  return status.kind !== 'gone' || previous.side === 'LEFT';
}

/** True if the facts prove that an open finding is fixed, which this run did not report again. */
function isFixed(
  one: LocatedFinding,
  others: readonly PlacedFinding[],
  { evidence, checks }: ReconcileFacts,
): boolean {
  const { previous, status } = one;
  if (previous.state !== 'open') return false;
  if (previous.check !== null) return checks.has(previous.check);
  const isGone = status.kind === 'gone';
  if (evidence.kind === 'none') return false;
  if (evidence.kind === 'text') return isGone && (evidence.changed || !status.changed);
  const isTouched =
    isGone || status.kind === 'touched' || (status.kind === 'untouched' && isAboutTests(previous));
  if (!isTouched || !evidence.requested.has(previous.id)) return false;
  return !others.some((other) => mayMatch(other, one));
}

const nowOf = ({ line, start_line, side, severity }: Finding) => ({ line, start_line, side, severity });

/** Adds the context to each finding. Of duplicates, the most severe counts. */
function distinctFindings(findings: readonly Finding[], source: LineSource): PlacedFinding[] {
  const once: Finding[] = [];
  for (const finding of mergeClaims(findings)) {
    const at = once.findIndex((other) => isDuplicate(finding, other));
    const before = once[at];
    if (before === undefined) once.push(finding);
    else if (severityRank(finding.severity) > severityRank(before.severity)) once[at] = finding;
  }
  return once.map((finding) => ({ finding, context: contextOf(finding, source) }));
}

type NamedPlaced = PlacedFinding & { readonly id: string };

/** Findings by unique name, even if two are on one line. */
function named(found: readonly PlacedFinding[], used: ReadonlySet<string>): NamedPlaced[] {
  const names = new Set(used);
  return found.map((one) => {
    const name = fingerprintContext(one.finding, one.context);
    let id = name;
    for (let count = 2; names.has(id); count++) id = `${name}-${count}`;
    names.add(id);
    return { ...one, id };
  });
}

function toPrevious({ id, finding, context }: NamedPlaced, run_id: string): PreviousFinding {
  const { path, check = null } = finding;
  const fields = { id, path, ...nowOf(finding), ...textOf(finding), check, ...context };
  return { ...fields, state: 'open', run_id, dismissed_by: null, fixed: null };
}

/** A finding of this run with its lines. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly context: LineContext;
}

/** An earlier finding with the status of its lines. */
export interface LocatedFinding {
  readonly previous: PreviousFinding;
  readonly status: LineStatus;
}

/** Maximum stored characters of a finding's text, and of its suggestion. */
const longestText = 1_000;

/** Lines that a model may miscount. Near an unchanged place, nothing else changed either. */
const miscounted = 3;

/** Share of common words from which two titles count as the same. */
const similarTitle = 0.5;

/**
 * Matches findings to earlier ones, by index, each used once. The same lines under the same
 * category match, whatever the wording. If the lines changed, similar wording matches.
 */
export function matchFindings(
  found: readonly PlacedFinding[],
  previous: readonly LocatedFinding[],
): ReadonlyMap<number, number> {
  const matched = new Map<number, number>();
  const used = new Set<number>();
  for (const matches of matchers) {
    const pairs = found.flatMap((one, index) =>
      previous.flatMap((other, at) => {
        const isHere = one.finding.path === other.previous.path;
        return isHere && matches(one, other) ? [{ index, at, shared: titleSimilarity(one, other) }] : [];
      }),
    );
    // Among candidates, the most similar wording wins.
    for (const { index, at } of pairs.toSorted((a, b) => b.shared - a.shared)) {
      if (matched.has(index) || used.has(at)) continue;
      matched.set(index, at);
      used.add(at);
    }
  }
  return matched;
}

/**
 * True if one run reports the same twice: shared lines, the same category, nearly the same wording.
 */
export function isDuplicate(one: Finding, other: Finding): boolean {
  if (one.path !== other.path || one.side !== other.side) return false;
  const { line, start_line = line } = one;
  if (start_line > other.line || (other.start_line ?? other.line) > line) return false;
  if (Math.abs(line - other.line) > miscounted) return false;
  const category = normaliseWords(one.category) === normaliseWords(other.category);
  return category && similarity(one.title, other.title) >= 0.75;
}

/** Lines within which a finding of the same category may be the same in other words. */
const nearLines = 10;

/**
 * True if a finding may be an earlier one in other words: the same category, about the same place.
 * This keeps the earlier one open, but does not suppress the new one.
 */
export function mayMatch({ finding }: PlacedFinding, { previous, status }: LocatedFinding): boolean {
  const { path, side, line, start_line = line } = finding;
  if (path !== previous.path || side !== previous.side || !sameCategory({ finding }, { previous }))
    return false;
  const there = 'line' in status ? status.line : previous.line;
  return start_line <= there + nearLines && line >= there - nearLines;
}

type Matcher = (one: PlacedFinding, other: LocatedFinding) => boolean;

/** From the most certain on. */
const matchers: readonly Matcher[] = [
  sameName,
  (one, other) => sameCategory(one, other) && sameLines(one, other),
  (one, other) => sameLines(one, other) && titleSimilarity(one, other) >= similarTitle,
  nearby,
  onSameLines,
  // The lines changed, and the finding is about the new ones.
  (one, { previous, status }) => {
    if (status.kind === 'untouched' || one.finding.side !== previous.side) return false;
    const shared = titleSimilarity(one, { previous });
    return shared >= (sameCategory(one, { previous }) ? similarTitle : 0.75);
  },
];

function sameName(one: PlacedFinding, other: LocatedFinding): boolean {
  const name = nameOf(one);
  return name === other.previous.id || name === nowNamed(other);
}
const nameOf = ({ finding, context }: PlacedFinding) => fingerprintContext(finding, context);
/** Returns its id under the new name of its file. */
const nowNamed = ({ previous }: LocatedFinding) => fingerprintContext(previous, previous);

/** Nearly the same wording, beside unchanged lines. */
function nearby(one: PlacedFinding, { previous, status }: LocatedFinding): boolean {
  const { side, line, start_line = line } = one.finding;
  if (status.kind !== 'untouched' || side !== previous.side) return false;
  const first = status.line - previous.anchor.split('\n').length + 1;
  if (start_line > status.line + miscounted || line < first - miscounted) return false;
  return titleSimilarity(one, { previous }) >= (sameCategory(one, { previous }) ? 0.75 : 0.9);
}

/** Most words in common, on lines that overlap. */
function onSameLines(one: PlacedFinding, other: LocatedFinding): boolean {
  const { side, line, start_line = line, title, body } = one.finding;
  const { previous, status } = other;
  if (status.kind !== 'untouched' || side !== previous.side || previous.check !== null) return false;
  const first = status.line - previous.anchor.split('\n').length + 1;
  if (start_line > status.line || line < first) return false;
  return isSameText(`${title} ${body}`, `${previous.title} ${previous.body ?? ''}`);
}

const sameCategory = (
  { finding }: Pick<PlacedFinding, 'finding'>,
  { previous }: Pick<LocatedFinding, 'previous'>,
) => sharesCategory(finding.category, previous.category);

/** The same text in the same surroundings. An unchanged place can only match itself. */
function sameLines({ context }: PlacedFinding, { previous, status }: LocatedFinding): boolean {
  if (context.anchor === '' || context.anchor !== previous.anchor) return false;
  return context.window === previous.window || status.kind !== 'untouched';
}

function titleSimilarity({ finding }: PlacedFinding, { previous }: Pick<LocatedFinding, 'previous'>): number {
  return similarity(finding.title, previous.title);
}

function similarity(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(normaliseWords(text).split(' ')));
  if (a === undefined || b === undefined) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}
