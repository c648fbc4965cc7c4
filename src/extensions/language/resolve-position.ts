import { invalidInput, ToolError } from '../../contract/errors.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import type { Position } from './protocol-values.ts';
import { lastName } from './symbol-names.ts';

/** A position as a model gives it: numbers from 0, a name, or both. */
export interface RequestedPosition {
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly symbol?: string | undefined;
}

/** Lines around a position in which a name is searched, as numbers may be off. */
const mostAway = 3;
/** Characters of names in most languages. */
const letter = '[\\p{ID_Continue}$]';
const name = new RegExp(`[\\p{ID_Start}_$]${letter}*`, 'gu');
const letters = new RegExp(`${letter}+`, 'gu');
const endsInLetter = new RegExp(`${letter}$`, 'u');
const beginsWithLetter = new RegExp(`^${letter}`, 'u');

export const linesOfSource = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/** The name at a position or just before it; empty for none. */
export function nameAt(text: string, { line, character }: Position): string {
  // Forwards: searching backwards takes quadratic time.
  for (const { 0: found, index } of (linesOfSource(text)[line] ?? '').matchAll(letters)) {
    if (index > character) break;
    if (index + found.length >= character) return found;
  }
  return '';
}

/**
 * Resolves the position in a model's request. A name wins over numbers: it is searched on the line
 * and the lines around it, so numbers that count from 1 work too. Without a line it is `defined`,
 * or the first place of the name. A line alone means its first name. Throws `ToolError` with the
 * names on the line.
 */
export function resolvePosition(
  { path, text }: { readonly path: string; readonly text: string },
  requested: RequestedPosition,
  defined: Position | null = null,
): Position {
  const lines = linesOfSource(text);
  const { line, symbol } = requested;
  if (line !== undefined && line >= lines.length && symbol === undefined)
    throw invalidInput(
      `${path} has ${lines.length} lines: line counts from 0, so ${lines.length - 1} is the last, which read shows as ${lines.length}. line was ${line}.`,
    );
  if (symbol !== undefined) return bySymbol(path, lines, { ...requested, symbol }, defined);
  if (line === undefined)
    throw invalidInput(
      'Say where: path and symbol (a name in the file), or path, line and character, both counted from 0.',
    );
  return onLine(path, lines, line, requested.character);
}

function onLine(
  path: string,
  lines: readonly string[],
  line: number,
  character: number | undefined,
): Position {
  const text = lines[line] ?? '';
  if (character === undefined) {
    const [first] = text.matchAll(name);
    if (first === undefined) throw noNameError(path, lines, line, null);
    return { line, character: first.index };
  }
  // A position just behind a name means it.
  const around = text.slice(Math.max(0, character - 1), character + 1);
  if (around.trim() === '') throw noNameError(path, lines, line, character);
  return { line, character: Math.min(character, text.length) };
}

function bySymbol(
  path: string,
  lines: readonly string[],
  { line, character = 0, symbol }: RequestedPosition & { readonly symbol: string },
  defined: Position | null,
): Position {
  const word = lastName(symbol);
  if (line === undefined) {
    const first = defined ?? positionsOf(word, lines, 1)[0];
    if (first !== undefined) return first;
    throw new ToolError(
      'not_found',
      `${path} does not hold the name ${word}. Look for it with grep or workspaceSymbol.`,
    );
  }
  const around = { from: Math.max(0, line - mostAway), to: line + mostAway + 1 };
  const near = positionsOf(word, lines, 1_000, around).sort(
    (a, b) =>
      Math.abs(a.line - line) - Math.abs(b.line - line) ||
      a.line - b.line ||
      Math.abs(a.character - character) - Math.abs(b.character - character),
  );
  if (near[0] !== undefined) return near[0];
  const elsewhere = positionsOf(word, lines, 5).map((one) => one.line);
  const hint =
    elsewhere.length === 0
      ? `${path} does not hold it at all.`
      : `It is on line ${[...new Set(elsewhere)].join(', ')} counted from 0.`;
  throw new ToolError(
    'not_found',
    `${word} does not stand near line ${line} (line ${line + 1} of read) of ${path}. ${hint}`,
  );
}

/** The positions of a whole word, in order. */
function positionsOf(
  word: string,
  lines: readonly string[],
  most: number,
  { from, to } = { from: 0, to: lines.length },
): Position[] {
  const found: Position[] = [];
  for (let line = from; line < Math.min(to, lines.length); line += 1) {
    const text = lines[line] ?? '';
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + Math.max(1, word.length))) {
      const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
      if (endsInLetter.test(before.slice(-2)) || beginsWithLetter.test(after.slice(0, 2))) continue;
      found.push({ line, character: at });
      if (found.length === most) return found;
    }
  }
  return found;
}

function noNameError(
  path: string,
  lines: readonly string[],
  line: number,
  character: number | null,
): ToolError {
  const text = lines[line] ?? '';
  const names = [...text.matchAll(name)].slice(0, 8).map((one) => `${one[0].slice(0, 60)} at ${one.index}`);
  const at = character === null ? '' : ` at character ${character}`;
  const there = names.length > 0 ? `Names on it: ${names.join(', ')}.` : 'There is no name on it.';
  const below = (lines[line - 1] ?? '').trim();
  const offByOne =
    line > 0 && names.length === 0 && below !== '' ? ` Line ${line - 1} is: ${visibleLine(below, 120)}` : '';
  return invalidInput(
    `There is nothing${at} on line ${line} of ${path} (both count from 0; read shows it as line ${line + 1}): "${visibleLine(text, 120)}". ${there}${offByOne} You may give symbol in place of character.`,
  );
}
