import { ToolError } from '../../contract/errors.ts';
import { lineEndingOf, withLineEndings } from '../text/text-file.ts';
import { type FoundText, findText, type Span, type Strategy, withoutLineNumbers } from './find-text.ts';
import { nearestLines } from './nearest-lines.ts';
import { rebaseIndentation } from './rebase-indentation.ts';

/** One replacement. `occurrence` counts from 1; 0 wants the old text to be unique; `all` takes every one. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly occurrence: number | 'all';
}

export interface ReplacedText {
  readonly text: string;
  readonly strategy: Strategy;
  readonly count: number;
  /** The line, counted from 1, where the first replacement begins. */
  readonly firstLine: number;
}

/**
 * Replaces a piece of a file's text. Everything outside the piece stays byte for byte; new lines end as the
 * file's do. Throws `ToolError`: `not_found` with the nearest lines, `ambiguous` with the candidates' lines,
 * `invalid_input` for an edit that says nothing.
 */
export function replaceText(path: string, text: string, replacement: Replacement): ReplacedText {
  const wanted = withLineEndings(replacement.old, '\n');
  refuseEmpty(path, wanted, replacement);
  const content = withLineEndings(text, '\n');
  const found = findText(content, wanted);
  if (found === null) throw notFound(path, content, wanted);
  const chosen = chooseSpans(path, content, found, replacement.occurrence);

  const toOriginal = originalOffsets(text);
  const given = withLineEndings(replacement.new, '\n');
  let edited = text;
  for (const span of chosen.toReversed()) {
    const fitted = withLineEndings(fittedText(content, span, found, given), lineEndingOf(text));
    edited = edited.slice(0, toOriginal(span.start)) + fitted + edited.slice(toOriginal(span.end));
  }
  if (edited === text) throw noChange(path);
  return {
    text: edited,
    strategy: found.strategy,
    count: chosen.length,
    firstLine: lineAt(content, chosen[0]?.start ?? 0),
  };
}

/** The new text as it goes in the place of one found piece. */
function fittedText(content: string, span: Span, found: FoundText, given: string): string {
  if (found.strategy === 'exact') return given;
  const bare = found.strategy === 'line-number-stripped' ? (withoutLineNumbers(given) ?? given) : given;
  const piece = content.slice(span.start, span.end);
  const rebased = rebaseIndentation(found.wanted, piece, bare);
  // A piece of whole lines at a file's end without a newline: the end stays as it was.
  const atOpenEnd = found.wanted.endsWith('\n') && !piece.endsWith('\n');
  return atOpenEnd ? rebased.replace(/\n$/, '') : rebased;
}

function chooseSpans(
  path: string,
  content: string,
  found: FoundText,
  occurrence: Replacement['occurrence'],
): readonly Span[] {
  if (occurrence === 'all') return found.spans;
  const [only] = found.spans;
  if (occurrence === 0) {
    if (found.spans.length === 1 && only !== undefined) return [only];
    throw new ToolError(
      'ambiguous',
      `The old text stands ${found.spans.length} times in ${path}, at lines ${places(content, found)}. Add the lines around it to the old text until it is unique, or set occurrence (from 1) or replace_all.`,
    );
  }
  const span = found.spans[occurrence - 1];
  if (span !== undefined) return [span];
  throw new ToolError(
    'not_found',
    `There is no occurrence ${occurrence} in ${path}: the old text stands ${found.spans.length} times, at lines ${places(content, found)}.`,
  );
}

function places(content: string, found: FoundText): string {
  const shown = found.spans.slice(0, 10).map((span) => lineAt(content, span.start));
  return shown.join(', ') + (found.spans.length > shown.length ? ', …' : '');
}

function lineAt(content: string, offset: number): number {
  let line = 1;
  for (let at = content.indexOf('\n'); at !== -1 && at < offset; at = content.indexOf('\n', at + 1))
    line += 1;
  return line;
}

/** Maps an offset in the text with plain newlines to the offset in the original. */
function originalOffsets(text: string): (offset: number) => number {
  const removed: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
    removed.push(at - removed.length);
  return (offset) => {
    let low = 0;
    let high = removed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((removed[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

function refuseEmpty(path: string, wanted: string, replacement: Replacement): void {
  if (wanted === '') {
    throw new ToolError(
      'invalid_input',
      `The old text is empty, which would match everywhere in ${path}. Give the lines to replace; to write the whole file use create_file with overwrite.`,
    );
  }
  if (wanted === withLineEndings(replacement.new, '\n')) throw noChange(path);
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
