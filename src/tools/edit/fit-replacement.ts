import { diffArrays } from 'diff/lib/diff/array.js';
import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import type { FoundText } from './find-text.ts';
import { isIndentedAsFile, rebaser } from './rebase-indentation.ts';

/** Past this many changed lines it is not looked for which lines stay: they are all taken as new. */
const mostChanges = 400;

/**
 * New text as it goes in the place of a found piece of the file, all with `\n` endings. A line the edit does not
 * mean (it is the same in the old text and the new) stays as the file has it; the others take over the file's
 * indentation, and a piece at the end of a file without a final newline gets none.
 */
export function fitReplacement(piece: string, found: FoundText, given: string): string {
  if (found.strategy === 'exact') return given;
  const atOpenEnd = found.wanted.endsWith('\n') && !piece.endsWith('\n');
  const cut = (text: string) => (atOpenEnd ? text.replace(/\n$/, '') : text);
  const wanted = cut(found.wanted).split('\n');
  const adapted = cut(found.adapt(given));
  const kept = keptLines(wanted, piece.split('\n'));
  const next = adapted.split('\n');
  // If the new text is the same piece, the edit is about its indentation.
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

/** A line in the place of one that stood there, with what that one had of the file's own. */
function changedLine(old: string, stood: string, line: string, rebase: (line: string) => string): string {
  const moved = rebase(line);
  const punctuated = withFilePunctuation(old, stood, moved);
  if (punctuated !== null) return punctuated;
  // Given without any indentation, and no rule for all lines: each takes that of the line it replaces.
  const bare = moved === line && old === old.trimStart() && line === line.trimStart() && line !== '';
  return bare ? stood.slice(0, stood.length - stood.trimStart().length) + line : moved;
}

/** Which line of the file each line looked for stands on; a block that is only alike may have more or fewer. */
function keptLines(wanted: readonly string[], piece: readonly string[]): (string | undefined)[] {
  if (wanted.length === piece.length) return [...piece];
  const same = (from: number, to: number) => wanted[from]?.trim() === piece[to]?.trim();
  const shift = piece.length - wanted.length;
  const shorter = Math.min(wanted.length, piece.length);
  let [before, after] = [0, 0];
  // Of the two, which differ in length, one has no line behind its end.
  while (same(before, before)) before += 1;
  while (after < shorter - before && same(wanted.length - 1 - after, piece.length - 1 - after)) after += 1;
  return wanted.map((_, index) => {
    if (index < before) return piece[index];
    return index >= wanted.length - after ? piece[index + shift] : undefined;
  });
}

/**
 * For each new line the old one that it is, or that it takes the place of: `from` is null for one that is added.
 */
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
    // As many lines added as taken away: line by line they are the same ones, changed.
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
 * A changed line with the file's own quotes, dashes and spaces where the change does not touch it. `moved` is
 * the new line as it is indented in the file; null where old and standing line differ by more than that.
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
