import type { Finding } from '../../contract/findings.ts';
import type { KnownFinding } from '../../contract/review-record.ts';
import { fingerprintContext, normaliseWords } from './fingerprint.ts';
import type { LineContext, Standing } from './line-context.ts';

/** A finding of this run with what it stands on. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly context: LineContext;
}

/** A finding told before with where its lines are now. */
export interface StandingFinding {
  readonly known: KnownFinding;
  readonly standing: Standing;
}

/** So many lines off a model may count: as near to a place that is as it was, nothing else changed either. */
const miscounted = 3;

/** From here on two titles are taken to say the same. Of all their words, the part they share. */
const alike = 0.5;

/**
 * Which findings of a run say what was told before: by index, each used once. The same lines under the same category
 * are the same finding, whatever its words; where the lines changed, words alike are.
 */
export function matchFindings(
  found: readonly PlacedFinding[],
  known: readonly StandingFinding[],
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
    // Of several that could be meant, the one in the most similar words.
    for (const { index, at } of pairs.toSorted((a, b) => b.words - a.words)) {
      if (matched.has(index) || taken.has(at)) continue;
      matched.set(index, at);
      taken.add(at);
    }
  }
  return matched;
}

/** Whether one run says the same twice: of lines they share, under one category, in nearly the same words. */
export function isSaidAgain(one: Finding, other: Finding): boolean {
  if (one.path !== other.path || one.side !== other.side) return false;
  const { line, start_line = line } = one;
  if (start_line > other.line || (other.start_line ?? other.line) > line) return false;
  if (Math.abs(line - other.line) > miscounted) return false;
  const category = normaliseWords(one.category) === normaliseWords(other.category);
  return category && wordsShared(one.title, other.title) >= 0.75;
}

/** So many lines from where a finding was, one under the same category may be the same in words of its own. */
const perhapsMeant = 10;

/**
 * Whether a finding may be one told before, said in words that do not show it: under the same category, about where that
 * stood. Enough not to take the older one for fixed, too little to keep the newer one back.
 */
export function maySay({ finding }: PlacedFinding, { known, standing }: StandingFinding): boolean {
  const { path, side, line, start_line = line } = finding;
  if (path !== known.path || side !== known.side || !sameCategory({ finding }, { known })) return false;
  const there = 'line' in standing ? standing.line : known.line;
  return start_line <= there + perhapsMeant && line >= there - perhapsMeant;
}

type Way = (one: PlacedFinding, other: StandingFinding) => boolean;

/** From the most certain on. */
const ways: readonly Way[] = [
  sameName,
  (one, other) => sameCategory(one, other) && sameLines(one, other),
  (one, other) => sameLines(one, other) && sharedWords(one, other) >= alike,
  nearby,
  // The lines were changed, and it is told of what stands there now.
  (one, { known, standing }) => {
    if (standing.kind === 'untouched' || one.finding.side !== known.side) return false;
    const words = sharedWords(one, { known });
    return words >= (sameCategory(one, { known }) ? alike : 0.75);
  },
];

function sameName(one: PlacedFinding, other: StandingFinding): boolean {
  const name = nameOf(one);
  return name === other.known.id || name === nowNamed(other);
}
const nameOf = ({ finding, context }: PlacedFinding) => fingerprintContext(finding, context);
/** What it would be called today, after its file was renamed. */
const nowNamed = ({ known }: StandingFinding) => fingerprintContext(known, known);

/** Nearly the same words, beside lines that are as they were. */
function nearby(one: PlacedFinding, { known, standing }: StandingFinding): boolean {
  const { side, line, start_line = line } = one.finding;
  if (standing.kind !== 'untouched' || side !== known.side) return false;
  const first = standing.line - known.anchor.split('\n').length + 1;
  if (start_line > standing.line + miscounted || line < first - miscounted) return false;
  return sharedWords(one, { known }) >= (sameCategory(one, { known }) ? 0.75 : 0.9);
}

const sameCategory = (
  { finding }: Pick<PlacedFinding, 'finding'>,
  { known }: Pick<StandingFinding, 'known'>,
) => normaliseWords(finding.category) === normaliseWords(known.category);

/** The same text in the same surroundings; of a place that is as it was, no other may be meant. */
function sameLines({ context }: PlacedFinding, { known, standing }: StandingFinding): boolean {
  if (context.anchor === '' || context.anchor !== known.anchor) return false;
  return context.window === known.window || standing.kind !== 'untouched';
}

function sharedWords({ finding }: PlacedFinding, { known }: Pick<StandingFinding, 'known'>): number {
  return wordsShared(finding.title, known.title);
}

function wordsShared(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => new Set(normaliseWords(text).split(' ')));
  if (a === undefined || b === undefined) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}
