import { ToolError } from '../../contract/errors.ts';
import { lineAt } from '../text/line-at.ts';
import { withLineEndings } from '../text/text-file.ts';
import { nearestLines } from '../write/nearest-lines.ts';
import type { Span } from './file-lines.ts';
import { type FoundText, findText, type Strategy } from './find-text.ts';
import { fitReplacement } from './fit-replacement.ts';
import { fileEndings, originalOffsets } from './line-endings.ts';
import { refuseOmission } from './omitted-text.ts';
import { withoutDoubledIndent } from './rebase-indentation.ts';

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
  readonly replaced?: string;
  readonly count: number;
  /** The line, from 1, where the first replacement begins. */
  readonly firstLine: number;
}

/**
 * Replaces a piece of a file's text; all else stays byte for byte. New lines get the file's
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
    ...(replaced === undefined ? {} : { replaced }),
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
      `The old text does not stand in ${path} as it is, and ${spans.length} places are like it, ${where}. Copy the lines as they are in the file.`,
    );
  }
  if (occurrence === 'all') return spans;
  if (occurrence === 0) {
    throw new ToolError(
      'ambiguous',
      `The old text stands ${spans.length} times in ${path}, ${where}. Add the lines around it to the old text until it is unique, or set occurrence (from 1) or replace_all.`,
    );
  }
  const span = spans[occurrence - 1];
  if (span !== undefined) return [span];
  throw new ToolError(
    'not_found',
    `There is no occurrence ${occurrence} in ${path}: the old text stands ${spans.length} times, ${where}.`,
  );
}

function places(content: string, found: FoundText): string {
  const shown = found.spans.slice(0, 10).map((span) => lineAt(content, span.start));
  return shown.join(', ') + (found.spans.length > shown.length ? ', …' : '');
}

function refuseEmpty(path: string, wanted: string, given: string): void {
  if (wanted === '') {
    throw new ToolError(
      'invalid_input',
      `The old text is empty, which would match everywhere in ${path}. Give the lines to replace; to add lines use insert_text, to write the whole file create_file with overwrite.`,
    );
  }
  if (wanted === given) throw noChange(path);
}

function noChange(path: string): ToolError {
  return new ToolError(
    'invalid_input',
    `The new text is the same as the old; nothing would change in ${path}.`,
  );
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
