import { diffArrays } from 'diff/lib/diff/array.js';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { asciiPunctuation } from '../text/ascii-punctuation.ts';
import { withLineEndings } from '../text/text-file.ts';
import { lineAt } from '../text/text-range.ts';
import { nearestLines } from '../write/nearest-lines.ts';
import { type FoundText, findText, type Strategy } from './find-text.ts';
import { fileEndings, originalOffsets } from './line-endings.ts';
import type { Span } from './match-lines.ts';
import { refuseOmission } from './omitted-text.ts';
import { isIndentedAsFile, rebaser, withoutDoubledIndent } from './rebase-indentation.ts';

/** Limits of an edited file and of indentation, in characters. */
const mostCharacters = 32 * 1024 * 1024;
const mostIndent = 1_000;

/**
 * One replacement. `occurrence` counts from 1; 0 requires a unique old text; `all` replaces every
 * one.
 */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly occurrence: number | 'all';
}

export interface ReplacedText {
  readonly text: string;
  readonly strategy: Strategy;
  /** The old text of the first location, if it was only similar to the given text. */
  readonly replaced?: string | undefined;
  readonly count: number;
  /** The line, from 1, where the first replacement begins. */
  readonly firstLine: number;
}

/**
 * Replaces a piece of a file's text; the rest stays byte for byte. New lines get the file's
 * endings. Throws `ToolError`: `not_found` with the nearest lines, `ambiguous` with the candidates'
 * lines, `invalid_input` for an empty edit or omitted code.
 */
export function replaceText(path: string, text: string, replacement: Replacement): ReplacedText {
  const wanted = plain(replacement.old);
  const given = plain(replacement.new);
  refuseEmpty(path, wanted, given);
  const content = withLineEndings(text, '\n');
  const found = findText(content, wanted);
  if (found === null) throw notFound(path, content, wanted);
  const chosen = chooseSpans(path, content, found, replacement.occurrence);
  refuseOmission(path, `${wanted}\n${content}`, given);

  refuseGrowth(path, content.length, chosen.length * given.length);

  const toOriginal = originalOffsets(text);
  const withFileEndings = fileEndings(text);
  const parts: string[] = [];
  let taken = 0;
  for (const span of chosen) {
    const piece = content.slice(span.start, span.end);
    const fitted = withoutDoubledIndent(
      indentBefore(content, span.start),
      piece,
      fitReplacement(piece, found, given),
    );
    const place = { start: toOriginal(span.start), end: toOriginal(span.end) };
    parts.push(text.slice(taken, place.start), withFileEndings(place, fitted));
    taken = place.end;
  }
  const edited = parts.join('') + text.slice(taken);
  if (edited === text) throw noChange(path);
  const [first] = chosen;
  const replaced = found.similar && first !== undefined ? content.slice(first.start, first.end) : undefined;
  return {
    text: edited,
    strategy: found.strategy,
    replaced,
    count: chosen.length,
    firstLine: lineAt(content, first?.start ?? 0),
  };
}

/** Returns the text before an offset in its line, if short enough for indentation. Else empty. */
function indentBefore(content: string, offset: number): string {
  const near = content.slice(Math.max(0, offset - mostIndent - 1), offset);
  const newline = near.lastIndexOf('\n');
  return newline === -1 && near.length > mostIndent ? '' : near.slice(newline + 1);
}

function refuseGrowth(path: string, before: number, added: number): void {
  if (before + added <= mostCharacters) return;
  throw new ToolError(
    'too_large',
    `The new text in all its places would make ${path} longer than ${mostCharacters} characters. Nothing was changed. Replace fewer places, or use a command.`,
  );
}

/** Normalises text for comparison: plain newlines, no byte order mark. */
function plain(text: string): string {
  return withLineEndings(text, '\n').replace(/^\ufeff/, '');
}

function chooseSpans(
  path: string,
  content: string,
  found: FoundText,
  occurrence: Replacement['occurrence'],
): readonly Span[] {
  const { spans } = found;
  const [only] = spans;
  if (only !== undefined && spans.length === 1 && (occurrence === 0 || occurrence === 'all')) return [only];
  const where = `at lines ${places(content, found)}`;
  if (found.similar && (occurrence === 0 || occurrence === 'all')) {
    throw new ToolError(
      'ambiguous',
      `The old text is not in ${path} exactly, but ${spans.length} places are similar, ${where}. Copy the lines as they are in the file.`,
    );
  }
  if (occurrence === 'all') return spans;
  if (occurrence === 0) {
    throw new ToolError(
      'ambiguous',
      `The old text occurs ${spans.length} times in ${path}, ${where}. Add the lines around it to the old text until it is unique, or set occurrence (from 1) or replace_all.`,
    );
  }
  const span = spans[occurrence - 1];
  if (span !== undefined) return [span];
  throw new ToolError(
    'not_found',
    `There is no occurrence ${occurrence} in ${path}: the old text occurs ${spans.length} times, ${where}.`,
  );
}

function places(content: string, found: FoundText): string {
  const shown = found.spans.slice(0, 10).map((span) => lineAt(content, span.start));
  return shown.join(', ') + (found.spans.length > shown.length ? ', …' : '');
}

function refuseEmpty(path: string, wanted: string, given: string): void {
  if (wanted === '') {
    throw invalidInput(
      `The old text is empty, which would match everywhere in ${path}. Give the lines to replace; to add lines use insert_text, to write the whole file create_file with overwrite.`,
    );
  }
  if (wanted === given) throw noChange(path);
}

function noChange(path: string): ToolError {
  return invalidInput(`The new text is the same as the old; nothing would change in ${path}.`);
}

function notFound(path: string, content: string, wanted: string): ToolError {
  const nearest = nearestLines(content, wanted);
  return new ToolError(
    'not_found',
    nearest === null
      ? `The old text is not in ${path}, nor anything like it. Read the file and copy the lines as they are.`
      : `The old text is not in ${path}. The nearest lines are:\n${nearest}\nCopy the lines as they are in the file (without line numbers).`,
  );
}

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
  const existing = existingLines(wanted, piece.split('\n'));
  const next = adapted.split('\n');
  // If the new text equals the piece, the edit is about its indentation.
  const asGiven = adapted !== piece && isIndentedAsFile(next, wanted, existing);
  const rebase = asGiven ? (line: string) => line : rebaser(wanted, existing);
  const fitted = unchangedLines(wanted, next).map(({ from, to }) => {
    const old = from === null ? undefined : wanted[from];
    const current = from === null ? undefined : existing[from];
    return fittedLine(old, current, next[to] ?? '', rebase);
  });
  return fitted.join('\n');
}

/** Returns a line as it goes into the file; `old` and `current` are undefined for an added one. */
function fittedLine(
  old: string | undefined,
  current: string | undefined,
  line: string,
  rebase: (line: string) => string,
): string {
  if (old === undefined || current === undefined) return rebase(line);
  return line === old ? current : changedLine(old, current, line, rebase);
}

/** Returns a changed line with the file's own indentation and punctuation. */
function changedLine(old: string, current: string, line: string, rebase: (line: string) => string): string {
  const moved = rebase(line);
  const punctuated = withFilePunctuation(old, current, moved);
  if (punctuated !== null) return punctuated;
  // Given without any indentation, and no rule for all lines: each takes that of the line it
  // replaces.
  const bare = moved === line && old === old.trimStart() && line === line.trimStart() && line !== '';
  return bare ? current.slice(0, current.length - current.trimStart().length) + line : moved;
}

/** Maps each wanted line to a line of the file. A similar block may have more or fewer lines. */
function existingLines(wanted: readonly string[], piece: readonly string[]): (string | undefined)[] {
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
function withFilePunctuation(old: string, current: string, moved: string): string | null {
  const [was, is, next] = [old.trim(), current.trim(), moved.trim()];
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
