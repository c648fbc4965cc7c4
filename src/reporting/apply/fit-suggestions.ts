import { diffArrays } from 'diff/lib/diff/array.js';
import type { PostedSuggestion } from '../../contract/review-record.ts';

/** A file as it was suggested on and as it is now; null if it is not text or does not exist. */
export interface FileVersions {
  readonly before: Buffer | null;
  readonly now: Buffer | null;
}

/** The current lines of a suggestion, or why it does not fit, as the end of a sentence. */
type Fit =
  | { readonly kind: 'fits'; readonly start: number; readonly end: number }
  | { readonly kind: 'left'; readonly why: string; readonly isThere?: boolean };

/** The result for one file. */
export interface FittedFile {
  /** Null if nothing changes. */
  readonly text: string | null;
  readonly applied: readonly PostedSuggestion[];
  readonly left: readonly UnfitSuggestion[];
}

export interface UnfitSuggestion {
  readonly suggestion: PostedSuggestion;
  readonly why: string;
  /** True if the file has its text already. Default: false. */
  readonly isThere?: boolean;
}

/** Two versions of a file that differ in more lines count as different as a whole. */
const mostEdits = 5_000;
const changed = 'the lines changed since';

/**
 * Applies suggestions to the current text of a file. Pure. A suggestion fits if its lines and their
 * neighbours are unchanged, as in git's own merge, and the file still has the names that it took
 * from there. Of two that touch the same line, the first is taken. All other lines stay byte for
 * byte, including the last line end.
 */
export function fitSuggestions(
  suggestions: readonly PostedSuggestion[],
  { before: old, now }: FileVersions,
): FittedFile {
  const [before, after] = [linesOf(old), linesOf(now)];
  const locate = before === null || after === null ? null : createLocator(before, after);
  const taken: { start: number; end: number; suggestion: PostedSuggestion }[] = [];
  const left: UnfitSuggestion[] = [];
  for (const suggestion of suggestions) {
    const fit: Fit =
      locate?.(suggestion) ??
      ({
        kind: 'left',
        why: now === null ? 'no plain file is there any more' : 'the file is no text',
      } as const);
    if (fit.kind === 'left') left.push({ suggestion, why: fit.why, isThere: fit.isThere ?? false });
    else if (taken.some(({ start, end }) => fit.start < end && start < fit.end))
      left.push({ suggestion, why: 'another suggestion changes the same lines' });
    else taken.push({ start: fit.start, end: fit.end, suggestion });
  }
  let lines = [...(after ?? [])];
  for (const { start, end, suggestion } of taken.toSorted((a, b) => b.start - a.start))
    lines = [...lines.slice(0, start), ...suggestion.after, ...lines.slice(end)];
  return {
    text: taken.length === 0 ? null : lines.join('\n'),
    applied: taken.map(({ suggestion }) => suggestion),
    left,
  };
}

/** Files of words, in which a word that is gone breaks nothing. */
const prose = /\.(?:md|markdown|rst|txt|adoc)$/iu;

/** The words of at least three characters. */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []));
}

/** Finds the place of suggestions in a file that changed from `before` to `after`. */
function createLocator(
  before: readonly string[],
  after: readonly string[],
): (suggestion: PostedSuggestion) => Fit {
  const moved = lineMap(before, after);
  const [then, still] = [namesIn(before), namesIn(after)];
  /**
   * Maps a line to its current index. The lines before the first and after the last keep their
   * place.
   */
  const now = (index: number): number | undefined => {
    if (index < 0) return -1;
    return index >= before.length ? after.length : moved.get(index);
  };
  return ({ path, first_line, last_line, before: own, after: wanted }) => {
    const [first, end] = [first_line - 1, last_line];
    const [above, below] = [now(first - 1), now(end)];
    if (!same(before.slice(first, end), own) || above === undefined || below === undefined)
      return { kind: 'left', why: changed };
    const start = above + 1;
    if (same(after.slice(start, below), wanted))
      return { kind: 'left', why: 'it is there already', isThere: true };
    const inside = own.every((_, offset) => now(first + offset) === start + offset);
    if (!inside || below !== start + own.length) return { kind: 'left', why: changed };
    // As after a rename.
    const lost = [...namesIn(wanted)].find((name) => then.has(name) && !still.has(name));
    return lost === undefined || prose.test(path)
      ? { kind: 'fits', start, end: below }
      : { kind: 'left', why: `\`${lost}\` is not in the file any more` };
  };
}

/** The index that each line of `before` has in `after`, where it is there still. */
function lineMap(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostEdits }) ?? [];
  const map = new Map<number, number>();
  let [old, next] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let step = 0; step < count; step += 1) map.set(old + step, next + step);
    if (!added) old += count;
    if (!removed) next += count;
  }
  return map;
}

/**
 * Splits a text into lines, with an empty one after a final line end. Null for bytes that are not
 * UTF-8.
 */
function linesOf(bytes: Buffer | null): string[] | null {
  const text = bytes?.toString('utf8');
  if (text === undefined || text.includes('\0') || !Buffer.from(text).equals(bytes ?? Buffer.alloc(0)))
    return null;
  return text.split('\n');
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
