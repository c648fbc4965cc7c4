import type { Finding } from '../../contract/findings.ts';
import { append } from '../../contract/lists.ts';
import { type DiffLine, type FileHunks, headerOf, hunkTexts, parseHunks } from '../diff/git-patch.ts';
import type { HunkMap } from '../diff/hunk-map.ts';
import type { Placement } from '../diff/place-finding.ts';

/** A replacement of whole lines of the pull request's head, as GitHub applies it with a click. */
export interface Suggestion {
  readonly path: string;
  /** Lines of the right side, both included; equal for a single line. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly before: readonly string[];
  /** Empty: the lines go away. */
  readonly after: readonly string[];
}

/** The suggestions of a patch, and the rest as a patch for the same head. */
export interface SplitSuggestions {
  readonly suggestions: readonly Suggestion[];
  readonly leftover: string;
}

/**
 * Turns a git patch against the head into suggestions on lines of the pull request's diff. A hunk
 * is converted as a whole: one hunk of the diff must display every replaced line unchanged. Never
 * converted: new, deleted, renamed and binary files, modes, carriage returns, changed final line
 * ends, and what `offers` rejects.
 */
export function suggestFromPatch(
  patch: string,
  map: HunkMap,
  offers: (suggestion: Suggestion) => boolean = () => true,
): SplitSuggestions {
  const suggestions: Suggestion[] = [];
  const leftover: string[] = [];
  for (const file of parseHunks(patch)) {
    const perHunk = file.hunks.map((hunk) => {
      const made = file.plain ? suggestHunk(file.path, hunk, map) : null;
      return made?.every(offers) === true ? made : null;
    });
    append(
      suggestions,
      perHunk.flatMap((made) => made ?? []),
    );
    const rest = withoutHunks(
      file,
      perHunk.map((made) => made !== null),
    );
    if (rest !== '') leftover.push(rest);
  }
  return { suggestions, leftover: leftover.join('') };
}

/** Lines of a hunk by index, `end` excluded. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Returns the suggestions that make up a hunk; null if it cannot be expressed so. */
function suggestHunk(path: string, hunk: readonly DiffLine[], map: HunkMap): Suggestion[] | null {
  const parts = editsOf(hunk).map((edit) => replaceablePart(path, hunk, edit, map));
  const found = parts.filter((part) => part !== null);
  if (found.length !== parts.length) return null;
  // Two insertions may have taken the same line along: then they are one replacement.
  const overlap = found.some((part, index) => (found[index - 1]?.end ?? 0) > part.start);
  const whole = { start: found[0]?.start ?? 0, end: found.at(-1)?.end ?? 0 };
  const made = (overlap ? [whole] : found).map((part) => replacement(path, hunk, part, map));
  const suggestions = made.filter((suggestion) => suggestion !== null);
  return suggestions.length === made.length ? suggestions : null;
}

/** The runs of changed lines in a hunk. */
function editsOf(hunk: readonly DiffLine[]): Part[] {
  const edits: Part[] = [];
  for (let start = 0; start < hunk.length; start++) {
    if (hunk[start]?.kind === 'context') continue;
    let end = start;
    while (end < hunk.length && hunk[end]?.kind !== 'context') end++;
    edits.push({ start, end });
    start = end;
  }
  return edits;
}

/** The edit itself, or, as a pure insertion replaces nothing, with the line above or below it. */
function replaceablePart(path: string, hunk: readonly DiffLine[], edit: Part, map: HunkMap): Part | null {
  const { start, end } = edit;
  const deletes = hunk.slice(start, end).some((line) => line.kind === 'deleted');
  const above = { start: Math.max(0, start - 1), end };
  const below = { start, end: Math.min(hunk.length, end + 1) };
  const candidates = deletes ? [edit] : [above, below];
  return candidates.find((part) => replacement(path, hunk, part, map) !== null) ?? null;
}

/** Returns the suggestion for a part of a hunk; null if its lines cannot have a comment. */
function replacement(path: string, hunk: readonly DiffLine[], part: Part, map: HunkMap): Suggestion | null {
  const lines = hunk.slice(part.start, part.end);
  if (lines.some((line) => line.unended || line.text.endsWith('\r'))) return null;
  const old = lines.filter((line) => line.oldLine !== null);
  const [firstLine, lastLine] = [old[0]?.oldLine ?? 0, old.at(-1)?.oldLine ?? 0];
  if (!map.sameHunk(path, 'RIGHT', firstLine, lastLine)) return null;
  if (old.some((line) => map.text(path, 'RIGHT', line.oldLine ?? 0) !== line.text)) return null;
  return {
    path,
    firstLine,
    lastLine,
    before: old.map((line) => line.text),
    after: lines.filter((line) => line.kind !== 'deleted').map((line) => line.text),
  };
}

/** A file's patch without some of its hunks, the new positions of the others moved accordingly. */
function withoutHunks(file: FileHunks, converted: readonly boolean[]): string {
  if (!converted.includes(true)) return file.text;
  if (!converted.includes(false)) return '';
  let shift = 0;
  const remaining: string[] = [];
  for (const [index, hunk] of hunkTexts(file.text).entries()) {
    const counts = file.hunks[index] ?? [];
    if (converted[index]) {
      const grown = counts.filter((line) => line.kind === 'added').length;
      shift += grown - counts.filter((line) => line.kind === 'deleted').length;
    } else {
      remaining.push(
        hunk.replace(/^(@@ -\S+ \+)(\d+)/u, (_, head, start) => `${head}${Number(start) - shift}`),
      );
    }
  }
  return headerOf(file.text) + remaining.join('');
}

/** The lines of a text; the line end that closes the last one opens no further line. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A finding's own change of its lines. `none`: it has none, or changes nothing. */
type OwnSuggestion =
  | { readonly kind: 'suggestion'; readonly suggestion: Suggestion }
  /**
   * It can only be described: it is about other lines, deleted ones, or such with carriage returns,
   * which GitHub loses.
   */
  | { readonly kind: 'words' }
  | { readonly kind: 'none' };

/** Returns the part of a finding's `suggestion` that can be offered at its comment. */
export function suggestionOfFinding(
  finding: Finding,
  placement: Extract<Placement, { kind: 'line' }>,
  map: HunkMap,
): OwnSuggestion {
  if (finding.suggestion === undefined) return { kind: 'none' };
  if (!placement.exact || placement.side !== 'RIGHT') return { kind: 'words' };
  const { path, line: lastLine, startLine: firstLine = lastLine } = placement;
  const before: string[] = [];
  for (let line = firstLine; line <= lastLine; line++) {
    const text = map.text(path, 'RIGHT', line);
    if (text === null) return { kind: 'words' };
    before.push(text);
  }
  const after = linesOf(finding.suggestion);
  if (same(before.map(withoutReturn), after)) return { kind: 'none' };
  if (before.some((text) => text.endsWith('\r'))) return { kind: 'words' };
  return { kind: 'suggestion', suggestion: { path, firstLine, lastLine, before, after } };
}

const withoutReturn = (text: string): string => text.replace(/\r$/u, '');

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
