import { ToolError } from '../../contract/errors.ts';
import { numberLines } from '../text/number-lines.ts';
import { nearestLines } from '../write/nearest-lines.ts';
import type { Hunk, HunkPosition } from './file-patch.ts';

const shownLines = 12;
/** Maximum comparisons for a message. */
const mostComparisons = 5_000_000;
const advice = 'Nothing was changed. Read the file and make the patch from its exact lines.';

/** Builds the errors of a hunk that fits nowhere: which hunk, why, and the lines in the file. */
export function hunkErrors(path: string, lines: readonly string[], hunk: Hunk, at: HunkPosition) {
  const name =
    at.count === 1 ? `The hunk "${hunk.label}"` : `Hunk ${at.number} of ${at.count} ("${hunk.label}")`;
  return {
    ambiguous(places: readonly number[]): ToolError {
      const shown = places.slice(0, 10).map((place) => place + 1);
      return new ToolError(
        'ambiguous',
        `${name} fits ${places.length} places in ${path}, at lines ${shown.join(', ')}. Nothing was changed. Add lines of context until it fits one.`,
      );
    },

    /** Its `@@` line is missing below the hunk before. */
    locatorMissing(): ToolError {
      const locators = hunk.locators.map((locator) => `"@@ ${locator}"`).join(', ');
      return new ToolError(
        'not_found',
        `${name} is to be found by ${locators}, but ${path} has no such line${from(at)}. ${nearest(lines, hunk.locators)}\n${advice}`,
      );
    },

    /** It adds lines without context at a line beyond the file. */
    outsideFile(): ToolError {
      return new ToolError(
        'not_found',
        `${name} adds lines after line ${hunk.line}, but ${path} has ${lines.length} lines. Give it lines of context.`,
      );
    },

    /** Its unchanged and removed lines, `old`, match nowhere, or not where allowed. */
    notFound(old: readonly string[], hint = ''): ToolError {
      const why = [
        describeApplied(lines, hunk),
        difference(lines, old, (start) => misplaced(start, hunk, at)),
        hint,
      ]
        .filter((part) => part !== '')
        .join(' ');
      return new ToolError('not_found', `${name} does not fit ${path}. ${why}\n${advice}`);
    },
  };
}

/** Detects a patch applied twice: the result of the hunk is in the file. */
function describeApplied(lines: readonly string[], hunk: Hunk): string {
  const after = hunk.lines.filter((line) => line.mark !== '-').map((line) => line.text.replace(/\r$/, ''));
  if (hunk.lines.every((line) => line.mark !== '+') || after.length < 2) return '';
  if (lines.length * after.length > mostComparisons) return '';
  const start = lines.findIndex((_, index) => after.every((text, offset) => lines[index + offset] === text));
  return start === -1 ? '' : `Its result is already at line ${start + 1}: was it applied before?`;
}

function nearest(lines: readonly string[], wanted: readonly string[]): string {
  const near = nearestLines(lines.join('\n'), wanted.join('\n'));
  return near === null ? 'Nothing there is like it.' : `The nearest lines are:\n${near}`;
}

/** Describes the first line that differs; `whyNot` explains a match at a forbidden location. */
function difference(
  lines: readonly string[],
  old: readonly string[],
  whyNot: (start: number) => string,
): string {
  const start = bestStart(lines, old);
  if (start === null) return nearest(lines, old);
  const offset = old.findIndex((line, index) => !same(lines[start + index], line));
  if (offset === -1) return `Its lines stand at line ${start + 1}, ${whyNot(start)}.`;
  const line = start + offset;
  const there = line < lines.length ? `line ${line + 1} is ${quoted(lines[line])}` : 'the file ends';
  const first = Math.max(start, line - shownLines / 2);
  const around = lines.slice(first, Math.max(line + 1, Math.min(start + old.length, first + shownLines)));
  const shown = numberLines(around, first + 1, 4000).text;
  return `The first line that differs: the patch has ${quoted(old[offset])} where ${there}. The lines there:\n${shown}`;
}

function misplaced(start: number, hunk: Hunk, at: HunkPosition): string {
  if (start < at.from) return 'above the hunk before; give the hunks in the order of the file';
  return hunk.atEnd ? 'which is not the end of the file' : 'not below its @@ line';
}

function from(at: HunkPosition): string {
  return at.from > 0 ? ` below line ${at.from}` : '';
}

function same(line: string | undefined, wanted: string): boolean {
  return line?.trim() === wanted.trim();
}

function quoted(line = ''): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
}

/** Returns the start that matches most lines of `old` in order; null for none but blank ones. */
function bestStart(lines: readonly string[], old: readonly string[]): number | null {
  if (lines.length * old.length > mostComparisons) return null;
  let best = 0;
  let found: number | null = null;
  for (const start of lines.keys()) {
    let equal = 0;
    for (const [index, wanted] of old.entries()) {
      if (wanted.trim() !== '' && same(lines[start + index], wanted)) equal += 1;
    }
    if (equal > best) [best, found] = [equal, start];
  }
  return found;
}
