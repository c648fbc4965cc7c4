import { type Finding, severityRank } from '../../contract/findings.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { fingerprintContext, normaliseWords } from './fingerprint.ts';
import {
  contextOf,
  type LineContext,
  type LineSource,
  type LineStatus,
  lineStatusOf,
} from './line-context.ts';

/** A finding of this run, with its id. */
export interface NamedFinding {
  readonly id: string;
  readonly finding: Finding;
}

export interface ReconcileFacts {
  readonly runId: string;
  readonly findings: readonly Finding[];
  /** Findings reported before, with their current paths. */
  readonly known: readonly PreviousFinding[];
  readonly source: LineSource;
  /** Ids on GitHub from other runs, including unknown findings. No other finding may use them. */
  readonly told?: ReadonlySet<string>;
  /** Ids that were dismissed since, with who did it. */
  readonly dismissed: ReadonlyMap<string, string>;
  /**
   * The evidence that an open finding is fixed. `review`: a complete review was asked about it
   * (`asked`) and did not report it, though its lines changed. `text`: its lines are gone, and
   * there was nothing to review. `none`: the run broke off or did something else.
   */
  readonly evidence:
    | { readonly kind: 'review'; readonly asked: ReadonlySet<string> }
    | { readonly kind: 'text' }
    | { readonly kind: 'none' };
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
  /** Told before and open still, whether this run reports them again or not. */
  readonly carried: readonly PreviousFinding[];
  /** Open until this run. The commit that fixed them is for the caller to find. */
  readonly fixed: readonly PreviousFinding[];
  /** Dismissed by a person, now or earlier: neither reported nor counted. */
  readonly dismissed: readonly PreviousFinding[];
  /** Findings of this run that were reported or dismissed before. */
  readonly repeated: readonly Finding[];
  /** All that is known afterwards; `fixed` has no commit yet. */
  readonly known: readonly PreviousFinding[];
}

/**
 * Sorts findings into new, carried, fixed and dismissed. Pure. Findings that an earlier attempt of
 * this run reported count as new.
 */
export function reconcile(facts: ReconcileFacts): Reconciled {
  const { runId, source, dismissed } = facts;
  const before = facts.known
    .filter((known) => known.run_id !== runId)
    .map((known) => {
      const by = known.state === 'open' ? dismissed.get(known.id) : undefined;
      const state = by === undefined ? known : { ...known, state: 'dismissed' as const, dismissed_by: by };
      return { known: state, standing: lineStatusOf(known, source) };
    });
  const found = distinctFindings(facts.findings, source);
  const matched = matchFindings(found, before);
  const byKnown = new Map([...matched].map(([index, at]) => [at, found[index]]));
  const others = found.filter((_, index) => !matched.has(index));
  const after = before.map((one, at): PreviousFinding => {
    const again = byKnown.get(at);
    const moved = movedFinding(one, again);
    return again === undefined && isFixed(one, others, facts) ? { ...moved, state: 'fixed' } : moved;
  });

  const isBack = (at: number | undefined) => at === undefined || after[at]?.state === 'fixed';
  const fresh = named(
    found.filter((_, index) => isBack(matched.get(index))),
    new Set([...(facts.told ?? []), ...after.map(({ id }) => id)]),
  );
  return {
    fresh: fresh.map(({ id, finding }) => ({ id, finding })),
    carried: after.filter(({ state }) => state === 'open'),
    fixed: after.filter(({ state }, at) => state === 'fixed' && before[at]?.known.state === 'open'),
    dismissed: after.filter(({ state }) => state === 'dismissed'),
    repeated: found.flatMap((one, index) => (isBack(matched.get(index)) ? [] : [one.finding])),
    // A finding that is back is open under its new id only.
    known: [
      ...after.filter(({ state }, at) => state !== 'fixed' || !byKnown.has(at)),
      ...fresh.map((one) => toKnown(one, runId)),
    ],
  };
}

/** Returns an earlier finding with its current lines and this run's severity. */
function movedFinding(
  { known, standing }: LocatedFinding,
  again: PlacedFinding | undefined,
): PreviousFinding {
  const line = 'line' in standing ? standing.line : known.line;
  if (again === undefined) return { ...known, line };
  // The next run looks for the current text.
  const misplaced = standing.kind === 'untouched' && again.context.anchor !== known.anchor;
  return misplaced
    ? { ...known, line, severity: again.finding.severity }
    : { ...known, ...again.context, ...nowOf(again.finding) };
}

/** True if the facts prove that an open finding is fixed, which this run did not report again. */
function isFixed(
  one: LocatedFinding,
  others: readonly PlacedFinding[],
  { evidence, checks }: ReconcileFacts,
): boolean {
  const { known, standing } = one;
  if (known.state !== 'open') return false;
  if (known.check !== null) return checks.has(known.check);
  const isGone = standing.kind === 'gone';
  if (evidence.kind !== 'review') return isGone && evidence.kind === 'text';
  if (!(isGone || standing.kind === 'touched') || !evidence.asked.has(known.id)) return false;
  return !others.some((other) => mayMatch(other, one));
}

const nowOf = ({ line, side, severity }: Finding) => ({ line, side, severity });

/** Adds the context to each finding. Of duplicates, the most severe counts. */
function distinctFindings(findings: readonly Finding[], source: LineSource): PlacedFinding[] {
  const once: Finding[] = [];
  for (const finding of findings) {
    const at = once.findIndex((other) => isDuplicate(finding, other));
    const before = once[at];
    if (before === undefined) once.push(finding);
    else if (severityRank(finding.severity) > severityRank(before.severity)) once[at] = finding;
  }
  return once.map((finding) => ({ finding, context: contextOf(finding, source) }));
}

type NamedPlaced = PlacedFinding & { readonly id: string };

/** Each under a name of its own, also where two stand on one line. */
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

function toKnown({ id, finding, context }: NamedPlaced, run_id: string): PreviousFinding {
  const { path, side, line, severity, category, title, check = null } = finding;
  const told = { id, path, side, line, severity, category, title, check, ...context };
  return { ...told, state: 'open', run_id, dismissed_by: null, fixed: null };
}

/** A finding of this run with what it stands on. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly context: LineContext;
}

/** An earlier finding with the status of its lines. */
export interface LocatedFinding {
  readonly known: PreviousFinding;
  readonly standing: LineStatus;
}

/** Lines that a model may miscount. Near an unchanged place, nothing else changed either. */
const miscounted = 3;

/** Share of common words from which two titles count as the same. */
const alike = 0.5;

/**
 * Matches findings to earlier ones, by index, each used once. The same lines under the same
 * category match, whatever the wording. If the lines changed, similar wording matches.
 */
export function matchFindings(
  found: readonly PlacedFinding[],
  known: readonly LocatedFinding[],
): ReadonlyMap<number, number> {
  const matched = new Map<number, number>();
  const taken = new Set<number>();
  for (const says of ways) {
    const pairs = found.flatMap((one, index) =>
      known.flatMap((other, at) => {
        const isHere = one.finding.path === other.known.path;
        return isHere && says(one, other) ? [{ index, at, words: sharedWords(one, other) }] : [];
      }),
    );
    // Among candidates, the most similar wording wins.
    for (const { index, at } of pairs.toSorted((a, b) => b.words - a.words)) {
      if (matched.has(index) || taken.has(at)) continue;
      matched.set(index, at);
      taken.add(at);
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
  return category && wordsShared(one.title, other.title) >= 0.75;
}

/** Lines within which a finding of the same category may be the same in other words. */
const perhapsMeant = 10;

/**
 * True if a finding may be an earlier one in other words: the same category, about the same place.
 * This keeps the earlier one open, but does not suppress the new one.
 */
export function mayMatch({ finding }: PlacedFinding, { known, standing }: LocatedFinding): boolean {
  const { path, side, line, start_line = line } = finding;
  if (path !== known.path || side !== known.side || !sameCategory({ finding }, { known })) return false;
  const there = 'line' in standing ? standing.line : known.line;
  return start_line <= there + perhapsMeant && line >= there - perhapsMeant;
}

type Way = (one: PlacedFinding, other: LocatedFinding) => boolean;

/** From the most certain on. */
const ways: readonly Way[] = [
  sameName,
  (one, other) => sameCategory(one, other) && sameLines(one, other),
  (one, other) => sameLines(one, other) && sharedWords(one, other) >= alike,
  nearby,
  // The lines changed, and the finding is about the new ones.
  (one, { known, standing }) => {
    if (standing.kind === 'untouched' || one.finding.side !== known.side) return false;
    const words = sharedWords(one, { known });
    return words >= (sameCategory(one, { known }) ? alike : 0.75);
  },
];

function sameName(one: PlacedFinding, other: LocatedFinding): boolean {
  const name = nameOf(one);
  return name === other.known.id || name === nowNamed(other);
}
const nameOf = ({ finding, context }: PlacedFinding) => fingerprintContext(finding, context);
/** Returns its id under the new name of its file. */
const nowNamed = ({ known }: LocatedFinding) => fingerprintContext(known, known);

/** Nearly the same wording, beside unchanged lines. */
function nearby(one: PlacedFinding, { known, standing }: LocatedFinding): boolean {
  const { side, line, start_line = line } = one.finding;
  if (standing.kind !== 'untouched' || side !== known.side) return false;
  const first = standing.line - known.anchor.split('\n').length + 1;
  if (start_line > standing.line + miscounted || line < first - miscounted) return false;
  return sharedWords(one, { known }) >= (sameCategory(one, { known }) ? 0.75 : 0.9);
}

const sameCategory = (
  { finding }: Pick<PlacedFinding, 'finding'>,
  { known }: Pick<LocatedFinding, 'known'>,
) => normaliseWords(finding.category) === normaliseWords(known.category);

/** The same text in the same surroundings. An unchanged place can only match itself. */
function sameLines({ context }: PlacedFinding, { known, standing }: LocatedFinding): boolean {
  if (context.anchor === '' || context.anchor !== known.anchor) return false;
  return context.window === known.window || standing.kind !== 'untouched';
}

function sharedWords({ finding }: PlacedFinding, { known }: Pick<LocatedFinding, 'known'>): number {
  return wordsShared(finding.title, known.title);
}

function wordsShared(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(normaliseWords(text).split(' ')));
  if (a === undefined || b === undefined) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}
