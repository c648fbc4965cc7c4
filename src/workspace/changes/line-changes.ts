import { diffArrays } from 'diff/lib/diff/array.js';

/** A range of old lines and its replacement, by index, ends excluded. One side may be empty. */
export interface LineChange {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/**
 * Returns the changes between two lists of lines in order; null if this takes longer than `timeout`
 * milliseconds. Common start and end, and lines that only one side has, are set aside first, as git
 * does. The rest of most edits is equal, however many lines changed.
 */
export function lineChanges(
  old: readonly string[],
  now: readonly string[],
  timeout: number,
): LineChange[] | null {
  const { before, after } = commonEnds(old, now);
  const [oldEnd, newEnd] = [old.length - after, now.length - after];
  const left = sharedWith(old, before, oldEnd, now.slice(before, newEnd));
  const right = sharedWith(now, before, newEnd, old.slice(before, oldEnd));
  const parts = diffArrays(
    left.map((index) => old[index]),
    right.map((index) => now[index]),
    { timeout },
  );
  if (parts === undefined) return null;

  const { changes, upTo } = rangesFrom(before);
  let [at, to] = [0, 0];
  for (const part of parts) {
    const [oldStep, newStep] = [Number(!part.added), Number(!part.removed)];
    for (let index = 0; index < part.value.length; index += 1) {
      if (oldStep === newStep) upTo(left[at] ?? oldEnd, right[to] ?? newEnd);
      at += oldStep;
      to += newStep;
    }
  }
  upTo(oldEnd, newEnd);
  return changes;
}

/** Counts the lines that both lists begin and end with. */
function commonEnds(old: readonly string[], now: readonly string[]): { before: number; after: number } {
  const shorter = Math.min(old.length, now.length);
  let [before, after] = [0, 0];
  while (before < shorter && old[before] === now[before]) before += 1;
  while (after < shorter - before && old[old.length - 1 - after] === now[now.length - 1 - after]) after += 1;
  return { before, after };
}

/** Collects the ranges between pairs of equal lines, which are given in order. */
function rangesFrom(start: number) {
  const changes: LineChange[] = [];
  let [oldFrom, newFrom] = [start, start];
  return {
    changes,
    upTo(oldTo: number, newTo: number): void {
      if (oldTo > oldFrom || newTo > newFrom) changes.push({ oldFrom, oldTo, newFrom, newTo });
      [oldFrom, newFrom] = [oldTo + 1, newTo + 1];
    },
  };
}

/** Indexes of the lines in a range that `others` contains too. */
function sharedWith(lines: readonly string[], from: number, to: number, others: readonly string[]): number[] {
  const otherLines = new Set(others);
  const shared: number[] = [];
  for (let index = from; index < to; index += 1) if (otherLines.has(lines[index] ?? '')) shared.push(index);
  return shared;
}
