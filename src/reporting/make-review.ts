import picomatch from 'picomatch';
import type { Config } from '../config/schema.ts';
import { type Finding, Severity } from '../contract/findings.ts';
import type { RunPlan } from '../contract/plan.ts';
import { fingerprintFinding, fingerprintSuggestion } from './fingerprint.ts';
import type { HunkMap, Side } from './hunk-map.ts';
import { codeBlock, countOf, maximumBody } from './markdown.ts';
import { writeMarker } from './marker.ts';
import { type Placement, placeFinding } from './place-finding.ts';
import { renderFinding, renderFindingLine } from './render-finding.ts';
import type { Suggestion } from './suggestions.ts';

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
  /** Null when there is nothing new to say: then no review is posted. */
  readonly review: { readonly body: string; readonly comments: readonly ReviewComment[] } | null;
  /** Findings that stand in an earlier review already. */
  readonly carried: readonly Finding[];
  /** Findings below the configured severity or in ignored paths: told nowhere but in the run ledger. */
  readonly silent: readonly Finding[];
  /** Findings for which the review had no room: the report lists them. */
  readonly unplaced: readonly Finding[];
}

export interface ReviewMaterial {
  readonly plan: RunPlan;
  readonly findings: readonly Finding[];
  readonly suggestions: readonly Suggestion[];
  readonly map: HunkMap;
  /** Fingerprints of what our earlier reviews of this pull request said. */
  readonly seen: ReadonlySet<string>;
  readonly settings: NonNullable<Config['review']>;
}

const defaultComments = 30;
/** Worst first. */
const severities = Severity.options.toReversed();

/**
 * One review from all that a run has to say about lines: its findings, worst first, and its changes as
 * suggestions. Nothing is said twice over the life of a pull request. What is beyond `review.maxComments`
 * (default 30), or has no place on the diff, is listed in the review's text.
 */
export function makeReview(material: ReviewMaterial): MadeReview {
  const { plan, map, seen, settings } = material;
  const ignored = settings.ignore?.length ? picomatch([...settings.ignore], { dot: true }) : () => false;
  const least = severities.indexOf(settings.minSeverity ?? 'info');
  const heard = (finding: Finding) => severities.indexOf(finding.severity) <= least && !ignored(finding.path);
  const known = (finding: Finding) => seen.has(fingerprintFinding(finding, map));
  const worth = material.findings.filter(heard);
  const fresh = worth
    .filter((finding) => !known(finding))
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const carried = worth.filter(known);

  const room = settings.maxComments ?? defaultComments;
  const comments: ReviewComment[] = [];
  const listed: Finding[] = [];
  for (const finding of fresh) {
    const placement = placeFinding(finding, map);
    if (placement.kind === 'line' && comments.length < room) {
      comments.push(findingComment(finding, placement, map, plan));
    } else listed.push(finding);
  }
  const changes = material.suggestions
    .filter((suggestion) => !seen.has(fingerprintSuggestion(suggestion)))
    .map(suggestionComment);
  const all = [...comments, ...changes];
  const silent = material.findings.filter((finding) => !heard(finding));
  if (all.length + listed.length === 0) return { review: null, carried, silent, unplaced: [] };

  const verdict = renderVerdict(fresh, carried, changes.length);
  const { body, unplaced } = listUnder(
    `${writeMarker('review', { run: plan.run_id })}\n${verdict}`,
    listed,
    material,
  );
  return { review: { body, comments: all }, carried, silent, unplaced };
}

function findingComment(
  finding: Finding,
  placement: Extract<Placement, { kind: 'line' }>,
  map: HunkMap,
  plan: RunPlan,
): ReviewComment {
  const onItsLines = placement.exact && placement.side === 'RIGHT';
  const { suggestion: _, ...plain } = finding;
  const offered = onItsLines && !changesText(finding, placement, map) ? plain : finding;
  const note = { statedLine: placement.statedLine, applicable: onItsLines };
  const mark = writeMarker('finding', { fp: fingerprintFinding(finding, map) });
  const full = `${mark}\n${renderFinding(offered, note, plan)}`;
  return {
    path: placement.path,
    body: full.length <= maximumBody ? full : `${mark}\n${renderFinding(plain, note, plan)}`,
    ...lines(placement.side, placement.startLine ?? placement.line, placement.line),
  };
}

/** A suggestion that leaves the lines as they are is none. */
function changesText(
  finding: Finding,
  placement: Extract<Placement, { kind: 'line' }>,
  map: HunkMap,
): boolean {
  const current: (string | null)[] = [];
  for (let line = placement.startLine ?? placement.line; line <= placement.line; line++) {
    current.push(map.text(placement.path, placement.side, line));
  }
  return finding.suggestion?.replace(/\r?\n$/u, '') !== current.join('\n');
}

function suggestionComment(suggestion: Suggestion): ReviewComment {
  const mark = writeMarker('finding', { fp: fingerprintSuggestion(suggestion) });
  const text = suggestion.after.map((line) => `${line}\n`).join('');
  return {
    path: suggestion.path,
    body: `${mark}\n${codeBlock(text, 'suggestion')}`,
    ...lines('RIGHT', suggestion.firstLine, suggestion.lastLine),
  };
}

function lines(side: Side, first: number, last: number): Omit<ReviewComment, 'path' | 'body'> {
  return first < last ? { side, line: last, start_line: first, start_side: side } : { side, line: last };
}

/** `**2 findings**: 1 high, 1 low. 1 suggested change. 3 found earlier still stand.` */
function renderVerdict(fresh: readonly Finding[], carried: readonly Finding[], changes: number): string {
  const counts = severities.flatMap((severity) => {
    const count = fresh.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const sentences = [
    ...(fresh.length === 0 ? [] : [`**${countOf(fresh.length, 'finding')}**: ${counts.join(', ')}.`]),
    ...(changes === 0 ? [] : [`${countOf(changes, 'suggested change')}.`]),
    ...(carried.length === 0 ? [] : [`${carried.length} found earlier still to be looked at.`]),
  ];
  return sentences.join(' ');
}

/** The findings without a line, as a list under the verdict, as many as the body holds. */
function listUnder(
  start: string,
  listed: readonly Finding[],
  { plan, map }: ReviewMaterial,
): { body: string; unplaced: Finding[] } {
  const note = '\n\nMore findings are in the report.';
  let body = listed.length === 0 ? start : `${start}\n\nNot on lines of this diff:\n`;
  for (const [index, finding] of listed.entries()) {
    const mark = writeMarker('finding', { fp: fingerprintFinding(finding, map) });
    const next = `${body}\n${renderFindingLine(finding, plan)} ${mark}`;
    if (next.length + note.length > maximumBody) {
      return { body: body + note, unplaced: listed.slice(index) };
    }
    body = next;
  }
  return { body, unplaced: [] };
}
