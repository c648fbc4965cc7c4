import { diffArrays } from 'diff/lib/diff/array.js';
import type { PostedSuggestion } from '../../contract/review-record.ts';

/** A file as it was suggested on and as it is now; null where it is no text, or is not there. */
export interface FileVersions {
  readonly before: Buffer | null;
  readonly now: Buffer | null;
}

/** Where a suggestion stands now, or why it cannot be put there, as the end of a sentence. */
type Fit =
  | { readonly kind: 'fits'; readonly start: number; readonly end: number }
  | { readonly kind: 'left'; readonly why: string };

/** What becomes of one file. */
export interface FittedFile {
  /** Null where nothing of it changes. */
  readonly text: string | null;
  readonly applied: readonly PostedSuggestion[];
  readonly left: readonly { readonly suggestion: PostedSuggestion; readonly why: string }[];
}

/** Two versions of a file that differ in more lines count as different as a whole. */
const mostEdits = 5_000;
const changed = 'the lines changed since';

/**
 * Puts suggestions for one file on the file as it is now. A suggestion fits where the lines it replaces and the ones right above and
 * below them are what they were, as git's own merge asks for; of two that touch the same line the first is taken. Lines that
 * nobody suggests on stay byte for byte, and so does the end of the last line. Pure.
 */
export function fitSuggestions(
  suggestions: readonly PostedSuggestion[],
  { before: old, now }: FileVersions,
): FittedFile {
  const [before, after] = [linesOf(old), linesOf(now)];
  const place = before === null || after === null ? null : placer(before, after);
  const taken: { start: number; end: number; suggestion: PostedSuggestion }[] = [];
  const left: { suggestion: PostedSuggestion; why: string }[] = [];
  for (const suggestion of suggestions) {
    const fit: Fit =
      place?.(suggestion) ??
      ({
        kind: 'left',
        why: now === null ? 'no plain file is there any more' : 'the file is no text',
      } as const);
    if (fit.kind === 'left') left.push({ suggestion, why: fit.why });
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

/** Finds the place of suggestions in a file that changed from `before` to `after`. */
function placer(before: readonly string[], after: readonly string[]): (suggestion: PostedSuggestion) => Fit {
  const moved = lineMap(before, after);
  /** Where a line is now; the line above the first and the one below the last stay where they are. */
  const now = (index: number): number | undefined =>
    index < 0 ? -1 : index >= before.length ? after.length : moved.get(index);
  return ({ first_line, last_line, before: own, after: wanted }) => {
    const [first, end] = [first_line - 1, last_line];
    const [above, below] = [now(first - 1), now(end)];
    if (!same(before.slice(first, end), own) || above === undefined || below === undefined)
      return { kind: 'left', why: changed };
    const start = above + 1;
    if (same(after.slice(start, below), wanted)) return { kind: 'left', why: 'it is there already' };
    const inside = own.every((_, offset) => now(first + offset) === start + offset);
    return inside && below === start + own.length
      ? { kind: 'fits', start, end: below }
      : { kind: 'left', why: changed };
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

/** The lines of a text, the empty one behind its last line end too; null for bytes that are no UTF-8. */
function linesOf(bytes: Buffer | null): string[] | null {
  const text = bytes?.toString('utf8');
  if (text === undefined || text.includes('\0') || !Buffer.from(text).equals(bytes ?? Buffer.alloc(0)))
    return null;
  return text.split('\n');
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
