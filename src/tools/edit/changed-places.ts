import { structuredPatch } from 'diff';
import { numberLines } from '../text/number-lines.ts';
import { withLineEndings } from '../text/text-file.ts';

const contextLines = 2;
/** Lines of one place, and of all together. */
const linesOfPlace = 24;
const linesInAll = 80;
const bytesOfPlace = 4000;
const timeoutMs = 2_000;

/**
 * The places where `after` differs from `before`, as numbered lines of `after` with two lines around them,
 * in order, `…` between them. Empty where the two differ too much to tell in two seconds.
 */
export function changedPlaces(before: string, after: string): string {
  const [old, now] = [withLineEndings(before, '\n'), withLineEndings(after, '\n')];
  const options = { context: contextLines, timeout: timeoutMs };
  const hunks = structuredPatch('', '', old, now, undefined, undefined, options)?.hunks ?? [];
  const shown: string[] = [];
  let left = linesInAll;
  for (const [index, hunk] of hunks.entries()) {
    const lines = hunk.lines.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
    if (lines.length === 0) continue;
    if (left <= 0) {
      shown.push(`[${hunks.length - index} more places]`);
      break;
    }
    const some = lines.slice(0, linesOfPlace);
    const rest = lines.length > some.length ? `\n[${lines.length - some.length} more lines]` : '';
    shown.push(numberLines(some, hunk.newStart, bytesOfPlace).text + rest);
    left -= some.length;
  }
  return shown.join('\n…\n');
}
