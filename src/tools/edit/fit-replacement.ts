import { diffArrays } from 'diff/lib/diff/array.js';
import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import type { FoundText } from './find-text.ts';
import { isIndentedAsFile, rebaser } from './rebase-indentation.ts';

/** Maximum changed lines for a comparison. Above it, all lines count as new. */
const mostChanges = 400;

/**
 * Fits new text to a found piece of the file, all with `\n` endings. Lines equal in old and new
 * text stay as the file has them. The others take over the file's indentation. A piece at the end
 * of a file without a final newline gets none.
 */
export function fitReplacement(piece: string, found: FoundText, given: string): string {
  if (found.strategy === 'exact') return given;
  const atOpenEnd = found.wanted.endsWith('\n') && !piece.endsWith('\n');
  const cut = (text: string) => (atOpenEnd ? text.replace(/\n$/, '') : text);
  const wanted = cut(found.wanted).split('\n');
  const adapted = cut(found.adapt(given));
  const kept = keptLines(wanted, piece.split('\n'));
  const next = adapted.split('\n');
  // If the new text equals the piece, the edit is about its indentation.
  const asGiven = adapted !== piece && isIndentedAsFile(next, wanted, kept);
  const rebase = asGiven ? (line: string) => line : rebaser(wanted, kept);
  const fitted: string[] = [];
  for (const { from, to } of unchangedLines(wanted, next)) {
    const line = next[to] ?? '';
    const old = from === null ? undefined : wanted[from];
    const stood = from === null ? undefined : kept[from];
    if (old === undefined || stood === undefined) fitted.push(rebase(line));
    else fitted.push(line === old ? stood : changedLine(old, stood, line, rebase));
  }
  return fitted.join('\n');
}

/** Returns a changed line with the file's own indentation and punctuation. */
function changedLine(old: string, stood: string, line: string, rebase: (line: string) => string): string {
  const moved = rebase(line);
  const punctuated = withFilePunctuation(old, stood, moved);
  if (punctuated !== null) return punctuated;
  // Given without any indentation, and no rule for all lines: each takes that of the line it
  // replaces.
  const bare = moved === line && old === old.trimStart() && line === line.trimStart() && line !== '';
  return bare ? stood.slice(0, stood.length - stood.trimStart().length) + line : moved;
}

/** Maps each wanted line to a line of the file. A similar block may have more or fewer lines. */
function keptLines(wanted: readonly string[], piece: readonly string[]): (string | undefined)[] {
  if (wanted.length === piece.length) return [...piece];
  const same = (from: number, to: number) => wanted[from]?.trim() === piece[to]?.trim();
  const shift = piece.length - wanted.length;
  const shorter = Math.min(wanted.length, piece.length);
  let [before, after] = [0, 0];
  // The two differ in length, so one has no line past its end.
  while (same(before, before)) before += 1;
  while (after < shorter - before && same(wanted.length - 1 - after, piece.length - 1 - after)) after += 1;
  return wanted.map((_, index) => {
    if (index < before) return piece[index];
    return index >= wanted.length - after ? piece[index + shift] : undefined;
  });
}

/** Pairs each new line with the old line it equals or replaces. `from` is null if added. */
function unchangedLines(
  wanted: readonly string[],
  next: readonly string[],
): { readonly from: number | null; readonly to: number }[] {
  const parts = diffArrays([...wanted], [...next], { maxEditLength: mostChanges });
  if (parts === undefined) return next.map((_, to) => ({ from: null, to }));
  const pairs: { from: number | null; to: number }[] = [];
  let [from, to] = [0, 0];
  let removed = 0;
  for (const part of parts) {
    const count = part.value.length;
    if (part.removed) {
      removed = count;
      from += count;
      continue;
    }
    // Equal numbers of added and removed lines: they are the same lines, changed.
    const stands = !part.added || removed === count;
    const first = part.added ? from - removed : from;
    for (let index = 0; index < count; index += 1) {
      pairs.push({ from: stands ? first + index : null, to: to + index });
    }
    if (!part.added) from += count;
    to += count;
    removed = 0;
  }
  return pairs;
}

/**
 * Keeps the file's own quotes, dashes and spaces in the unchanged part of a line. `moved` is the
 * new line with the file's indentation. Null if old and existing line differ by more than that.
 */
function withFilePunctuation(old: string, stood: string, moved: string): string | null {
  const [was, is, next] = [old.trim(), stood.trim(), moved.trim()];
  if (was === is || asciiPunctuation(was) !== asciiPunctuation(is)) return null;
  const shorter = Math.min(was.length, next.length);
  let [before, after] = [0, 0];
  while (before < shorter && was[before] === next[before]) before += 1;
  while (after < shorter - before && was[was.length - 1 - after] === next[next.length - 1 - after])
    after += 1;
  const merged = is.slice(0, before) + next.slice(before, next.length - after) + is.slice(is.length - after);
  const start = moved.length - moved.trimStart().length;
  return moved.slice(0, start) + merged + moved.slice(start + next.length);
}
